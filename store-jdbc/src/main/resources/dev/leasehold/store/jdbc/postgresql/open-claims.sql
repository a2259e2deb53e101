@{bound-moment};
@{lock-claims}
