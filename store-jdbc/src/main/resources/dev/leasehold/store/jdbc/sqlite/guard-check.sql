SELECT CASE
  WHEN NOT EXISTS (SELECT 1 FROM leasehold_brought)
    THEN RAISE(ABORT, 'LH001: this table is guarded, and the transaction has brought no token; make the change through AtEffect.change')
  WHEN NOT EXISTS (SELECT 1 FROM leasehold_brought b WHERE b.key = <key>)
    THEN RAISE(ABORT, 'LH004: this table is guarded, and the transaction has brought tokens of other leases than the row belongs to')
  WHEN NOT EXISTS (
    SELECT 1
      FROM leasehold_brought b
      JOIN leasehold_lease l ON l.key = b.key AND l.last_token >= b.token
     WHERE b.key = <key>
       AND (l.grant_token IS NOT b.token OR coalesce(b.instance_id, l.instance_id) = l.instance_id))
    THEN RAISE(ABORT, 'LH003: this table is guarded, and the token that was brought was never issued, or to another instance')
  WHEN NOT EXISTS (
    SELECT 1
      FROM leasehold_brought b
      JOIN leasehold_lease l
        ON l.key = b.key AND l.last_token = b.token AND l.grant_token = b.token AND l.standing < 2
      JOIN leasehold_store s ON b.token >> 40 >= s.incarnation
     WHERE b.key = <key>)
    THEN RAISE(ABORT, 'LH002: this table is guarded, and the token that was brought is stale')
END;
