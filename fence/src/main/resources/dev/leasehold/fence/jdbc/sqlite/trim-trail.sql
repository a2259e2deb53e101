DELETE FROM leasehold_mark_trail
 WHERE target = ?
   AND id <= (SELECT id FROM leasehold_mark_trail WHERE target = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
