SELECT (SELECT token FROM leasehold_mark WHERE target = ? AND key = ?),
       (SELECT above FROM leasehold_mark WHERE target = ? AND key = ?),
       (SELECT token FROM leasehold_mark_coming WHERE target = ? AND key = ?)
