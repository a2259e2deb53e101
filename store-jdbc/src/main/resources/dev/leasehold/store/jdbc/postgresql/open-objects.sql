@{bound-transaction};
@{see-objects}
