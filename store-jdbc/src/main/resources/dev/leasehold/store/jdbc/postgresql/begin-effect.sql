-- One round trip.
@{bound-effect};
@{check-current}
