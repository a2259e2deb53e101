package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import java.util.Optional;

/** The last changes of all leases. */
public final class ChangeHub extends EventHub<LeaseChange> implements ChangeListener<LeaseChange> {
  static final int KEPT = 16_384;

  public ChangeHub() {
    super(KEPT);
  }

  ChangeHub(String era, int kept) {
    super(era, kept);
  }

  @Override
  public void changed(LeaseChange change) {
    add(Optional.of(change));
  }

  @Override
  public void reset() {
    add(Optional.empty());
  }
}
