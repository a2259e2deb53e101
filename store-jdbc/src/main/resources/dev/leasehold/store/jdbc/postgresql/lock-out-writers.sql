-- Waits for commands in progress, including checks at effect; later ones see the new incarnation.
-- The row is updated so that a serializable command that has read before and writes afterwards
-- fails.
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;
LOCK TABLE leasehold_lease, leasehold_object IN EXCLUSIVE MODE
