= ANY (?::integer[])
