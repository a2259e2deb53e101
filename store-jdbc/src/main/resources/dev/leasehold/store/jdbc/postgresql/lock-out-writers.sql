-- Whatever is under way is finished first, at-effect checks included; what comes after sees the
-- new incarnation.
LOCK TABLE leasehold_lease IN EXCLUSIVE MODE
