DELETE FROM leasehold_object WHERE type = ? AND id = ? AND version = ? AND deed = 2
