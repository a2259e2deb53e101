-- Two statements in one round trip; the second explains why.
@{lock-objects};
@{object-contexts}
