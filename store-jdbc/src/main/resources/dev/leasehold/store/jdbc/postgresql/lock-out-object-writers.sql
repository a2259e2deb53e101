-- Whatever is under way is finished first, and what comes after sees the binding. Serializable
-- writers that have looked before find the store's row changed, and run again.
LOCK TABLE leasehold_object IN EXCLUSIVE MODE;
UPDATE leasehold_store SET incarnation = incarnation
