SELECT h.table_name, h.hole FROM leasehold_guard_holes() h
