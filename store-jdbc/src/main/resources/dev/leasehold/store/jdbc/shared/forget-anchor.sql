DELETE FROM leasehold_anchor WHERE number = ?
