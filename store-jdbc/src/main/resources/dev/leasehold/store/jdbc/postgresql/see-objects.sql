-- Two statements in one trip: see why in the second.
@{lock-objects};
@{object-scenes}
