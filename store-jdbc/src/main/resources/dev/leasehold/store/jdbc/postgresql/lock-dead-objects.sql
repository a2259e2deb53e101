-- In buckets whose floor is locked. Locked rows are left for another time, because this transaction
-- must not wait while it has a floor locked.
@{dead-objects}
   FOR UPDATE OF o SKIP LOCKED
