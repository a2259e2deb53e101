package dev.leasehold.remote;

import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.remote.Request.Repeat;
import dev.leasehold.remote.api.StoreApi;
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
    return calls
        .answered(
            servers -> {
              for (int i = 0; i < entries.size(); i += Ledgers.MAX_ENTRIES) {
                int end = Math.min(entries.size(), i + Ledgers.MAX_ENTRIES);
                byte[] body = pieceOf(entries.subList(i, end));
                Request request = Request.post(StoreApi.WRITE_LEDGER.path(), body, Repeat.HARMLESS);
                var unused = servers.ask(request).orThrow();
              }
              return true;
            })
        .thenAccept(written -> {});
  }

  private static byte[] pieceOf(List<LedgerEntry> entries) {
    return Json.write(out -> Ledgers.write(out, entries));
  }

  @Override
  public CompletionStage<LedgerReading> read() {
    return calls.get(StoreApi.LEDGER.path(), Ledgers::readReading);
  }
}
