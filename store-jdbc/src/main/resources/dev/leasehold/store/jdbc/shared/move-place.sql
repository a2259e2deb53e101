-- Not for a process whose lease another one has taken over since.
UPDATE leasehold_housekeeping
   SET token = ?, bucket = ?, name = ?, part = ?, request = ?, number = ?
 WHERE chore = ? AND token <= ?
