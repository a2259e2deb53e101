@{dead-objects}
