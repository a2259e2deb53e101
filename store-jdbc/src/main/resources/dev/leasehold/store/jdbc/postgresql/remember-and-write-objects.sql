@{remember-writes};
@{write-objects}
