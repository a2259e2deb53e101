-- Other processes read a table of changes, so there are always listeners.
false
