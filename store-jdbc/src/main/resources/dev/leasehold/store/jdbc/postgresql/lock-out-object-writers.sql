-- Waits for writes in progress; later ones see the binding. A serializable writer that has read
-- before finds the store's row changed, and runs again.
LOCK TABLE leasehold_object IN EXCLUSIVE MODE;
UPDATE leasehold_store SET incarnation = incarnation
