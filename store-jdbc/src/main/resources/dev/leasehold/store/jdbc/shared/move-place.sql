-- Not for one whose lease has gone to another since.
UPDATE leasehold_housekeeping
   SET token = ?, bucket = ?, name = ?, part = ?, request = ?, number = ?
 WHERE chore = ? AND token <= ?
