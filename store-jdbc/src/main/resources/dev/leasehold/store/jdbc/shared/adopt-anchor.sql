UPDATE leasehold_anchor
   SET bucket = ?, session_key = ?, token = ?, unheard_since = ?
 WHERE number = ?
