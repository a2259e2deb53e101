SELECT quote_ident(current_schema())
