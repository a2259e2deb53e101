-- Whatever is under way is finished first, at-effect checks included; what comes after sees the
-- new incarnation. Serializable, so that a serializable command which has looked before and writes
-- after is found out.
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;
LOCK TABLE leasehold_lease, leasehold_object IN EXCLUSIVE MODE
