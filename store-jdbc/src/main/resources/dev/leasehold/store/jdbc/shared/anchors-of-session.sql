SELECT @{anchor-columns}
  FROM leasehold_anchor a
 WHERE a.session_key = ? AND a.token = ?
 ORDER BY a.number
