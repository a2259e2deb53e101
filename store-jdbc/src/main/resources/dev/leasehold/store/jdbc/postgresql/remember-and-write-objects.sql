@{remember-deeds};
@{write-objects}
