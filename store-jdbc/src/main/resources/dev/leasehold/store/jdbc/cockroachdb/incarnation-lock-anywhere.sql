@{incarnation-lock}
