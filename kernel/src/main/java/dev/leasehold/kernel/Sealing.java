package dev.leasehold.kernel;

import dev.leasehold.fence.Admission;
import java.lang.System.Logger.Level;
import java.util.Optional;

/** Raises targets to the token of a new grant. It calls users' code, which may block. */
final class Sealing {
  private static final System.Logger LOG = System.getLogger(Leases.class.getName());

  private final Charters charters;
  private final LedgerReports reports;

  Sealing(Charters charters, LedgerReports reports) {
    this.charters = charters;
    this.reports = reports;
  }

  /** When this returns a lease, its targets refuse every earlier holder. */
  Acquisition seal(LeaseRequest request, Lease lease) {
    charters.of(lease.key()).ifPresent(reports::stillInForce);
    for (Seal seal : request.seals()) {
      Optional<String> failure = failureOf(seal, lease);
      reports.sealing(lease.claim(), seal.target(), failure);
      if (failure.isPresent() && seal.blocks()) {
        return new Acquisition.Unsealed(seal.target(), failure.get());
      }
      failure.ifPresent(
          why -> LOG.log(Level.WARNING, "{0} is not sealed: {1}", seal.target(), why));
    }
    if (lease.trust().isZero()) {
      return new Acquisition.Failed("the lease ran out while its targets were sealed");
    }
    return new Acquisition.Acquired(lease);
  }

  private static Optional<String> failureOf(Seal seal, Lease lease) {
    try {
      return switch (seal.action().seal(lease.claim())) {
        case Admission.Admitted admitted -> Optional.empty();
        case Admission.Refused refused -> {
          lease.refused(seal.target(), refused);
          yield Optional.of("it refuses " + lease + ": " + refused);
        }
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("it was interrupted");
    } catch (Exception e) {
      return Optional.of(e.toString());
    }
  }
}
