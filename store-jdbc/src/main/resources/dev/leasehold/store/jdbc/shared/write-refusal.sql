INSERT INTO leasehold_refusal
  (id, suspected, target, key, brought, answer, bound_token, who, at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, @{now})
ON CONFLICT DO NOTHING
