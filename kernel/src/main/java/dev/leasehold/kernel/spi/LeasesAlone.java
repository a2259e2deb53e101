package dev.leasehold.kernel.spi;

import java.util.Optional;

/** A store without any other part. */
record LeasesAlone(LeaseStore leases) implements Store {
  @Override
  public <P> Optional<P> part(Class<P> type) {
    return Optional.of(leases).filter(type::isInstance).map(type::cast);
  }

  @Override
  public void close() {
    leases.close();
  }
}
