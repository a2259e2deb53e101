package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.testkit.suite.ChangeRecorder;

/** Keeps what a watch on leases tells. */
final class HintRecorder extends ChangeRecorder<LeaseChange> {
  /** Waits for a hint; any reset will do, also one that came before the change. */
  void awaitHint(Kind kind, LeaseKey key, Token token) {
    LeaseChange hint = new LeaseChange(kind, key, token);
    awaitThat(() -> wasReset() || told().contains(hint), hint.toString());
  }
}
