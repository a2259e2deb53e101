-- Others read a table of changes.
false
