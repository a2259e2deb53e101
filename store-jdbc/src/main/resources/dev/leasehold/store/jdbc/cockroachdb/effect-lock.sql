-- At SERIALIZABLE the read itself is checked at commit; at READ COMMITTED this holds the row.
FOR SHARE
