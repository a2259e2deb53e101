@{bound-moment};
@{see-objects}
