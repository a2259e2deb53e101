@{bound-transaction};
@{lock-claims}
