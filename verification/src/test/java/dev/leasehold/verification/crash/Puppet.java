package dev.leasehold.verification.crash;

import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.testkit.history.HistoryFile;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.RecordingStore;
import dev.leasehold.verification.engines.Database;
import dev.leasehold.verification.engines.Ledger;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A process that does with one lease what it is told, step by step. */
public final class Puppet {
  private final HistoryRecorder recorder;
  private final Leases leases;
  private final Ledger ledger;
  private final Duration ttl;
  private Optional<Lease> held = Optional.empty();

  private Puppet(HistoryRecorder recorder, Leases leases, Ledger ledger, Duration ttl) {
    this.recorder = recorder;
    this.leases = leases;
    this.ledger = ledger;
    this.ttl = ttl;
  }

  public static void main(String[] arguments) throws Exception {
    String name = arguments[0];
    String url = arguments[1];
    Duration ttl = Duration.ofMillis(Long.parseLong(arguments[3]));
    try (HistoryFile file = HistoryFile.create(Path.of(arguments[2]));
        JdbcLeaseStore store = JdbcLeaseStore.at(url).open();
        Ledger ledger = new Ledger(new Database(url))) {
      HistoryRecorder recorder = new HistoryRecorder(name, Ticker.system(), file);
      try (Leases leases = Leases.on(new RecordingStore(store, recorder)).holder(name).open()) {
        Worker.say("ready");
        new Puppet(recorder, leases, ledger, ttl).obey();
      }
    }
    Worker.say("done");
  }

  private void obey() throws Exception {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = orders.readLine(); ; line = orders.readLine()) {
      if (line == null) {
        // Whoever started this process is gone.
        Runtime.getRuntime().halt(1);
      } else {
        switch (line) {
          case "acquire" -> acquire();
          case "check" -> Worker.say(isTrusted() ? "trusts" : "does not trust");
          case "write" -> write();
          case "stop" -> {
            held.ifPresent(Lease::close);
            return;
          }
          default -> throw new IllegalArgumentException(line);
        }
      }
    }
  }

  private boolean isTrusted() {
    return held.isPresent() && held.get().trust().isPositive();
  }

  private void acquire() throws InterruptedException {
    Acquisition acquisition =
        leases.acquire(LeaseRequest.of("work/one").ttl(ttl), Duration.ofMinutes(1));
    if (acquisition instanceof Acquisition.Acquired acquired) {
      Lease lease = acquired.lease();
      held = Optional.of(lease);
      var unused = lease.lost().thenAccept(reason -> Worker.say("lost " + reason));
      Worker.say("held " + lease.key() + " " + lease.token());
    } else {
      Worker.say("refused " + acquisition);
    }
  }

  /** Without looking at its lease again: that was done before. */
  private void write() throws Exception {
    for (Ledger.Target target : Ledger.Target.values()) {
      boolean taken = ledger.change(target, held.orElseThrow().claim(), recorder.nanos());
      Worker.say((taken ? "wrote " : "rejected ") + target.text());
    }
  }
}
