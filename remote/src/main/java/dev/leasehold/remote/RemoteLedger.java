package dev.leasehold.remote;

import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.remote.Request.Repeat;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Ledgers;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The ledger of the store behind a server. */
final class RemoteLedger implements Ledger {
  private final Calls calls;

  RemoteLedger(Calls calls) {
    this.calls = calls;
  }

  @Override
  public CompletionStage<Void> write(List<LedgerEntry> entries) {
    return calls.later(
        servers -> {
          for (int i = 0; i < entries.size(); i += Ledgers.MAX_ENTRIES) {
            int end = Math.min(entries.size(), i + Ledgers.MAX_ENTRIES);
            List<LedgerEntry> piece = entries.subList(i, end);
            byte[] body = Json.write(out -> Ledgers.write(out, piece));
            var unused = servers.ask(Request.post("/v1/ledger", body, Repeat.HARMLESS)).orThrow();
          }
        });
  }

  @Override
  public CompletionStage<LedgerReading> read() {
    return calls.answered(
        servers -> Ledgers.readReading(servers.ask(Request.get("/v1/ledger")).orThrow()));
  }
}
