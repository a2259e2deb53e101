@{era-lock}
