SELECT r.id, r.target, r.key, r.brought, r.who, r.answer, r.bound_token, r.suspected, r.at
FROM leasehold_refusal r ORDER BY r.at DESC, r.id DESC
