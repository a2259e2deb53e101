package dev.leasehold.cli.demo;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.Seal;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A process that reads orders about one lease from its standard input, one per line, and prints
 * their results. It checks its lease when it is ordered to, and not again before it writes, as if
 * every pause came exactly between the check and the write.
 */
public class HolderProgram {
  static final Duration TTL = Duration.ofSeconds(2);

  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final int MAX_ATTEMPTS = 10;

  private final BufferedReader orders =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final Leases leases;
  private final String name;
  private final LeaseKey key;
  private final List<Kept> accounts = new ArrayList<>();
  private Optional<Lease> held = Optional.empty();
  private Duration trust = TTL;

  /** An account, and the entries that this process has read there. */
  private static final class Kept {
    final Account account;
    List<Entry> seen = List.of();

    Kept(Account account) {
      this.account = account;
    }
  }

  /** The lease that a holder takes, and by which name. */
  public record Means(Leases leases, String name, LeaseKey key) {}

  protected HolderProgram(Means means) {
    this.leases = means.leases();
    this.name = means.name();
    this.key = means.key();
  }

  /** The process's name, the store, the key, and then the places. */
  static List<String> arguments(
      String name, String store, LeaseKey key, List<AccountPlace> places) {
    List<String> arguments = new ArrayList<>(List.of(name, store, key.text()));
    places.forEach(place -> arguments.add(place.text()));
    return arguments;
  }

  public static void main(String[] arguments) throws Exception {
    run(Accounts.MARKED, HolderProgram::new, arguments);
  }

  /** For programs that have other kinds of accounts, or obey more orders. */
  public static void run(Accounts kinds, Function<Means, HolderProgram> making, String[] arguments)
      throws Exception {
    String name = arguments[0];
    LeaseKey key = new LeaseKey(arguments[2]);
    try (JdbcStore store = open(arguments[1]);
        Leases leases = Leases.on(store).holder(name).open()) {
      HolderProgram program = making.apply(new Means(leases, name, key));
      for (String place : List.of(arguments).subList(3, arguments.length)) {
        program.accounts.add(new Kept(kinds.open(AccountPlace.parse(place), store, key)));
      }
      say("ready");
      program.obey();
    }
  }

  /** Tries again if a busy machine is slow to start processes. */
  private static JdbcStore open(String url) {
    for (int attempt = 1; ; attempt++) {
      try {
        return JdbcStore.at(url).open();
      } catch (StoreUnusableException e) {
        if (attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Prints a line for the director of this process; each line is one event. */
  protected static void say(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }

  private void obey() throws Exception {
    for (String line = orders.readLine(); ; line = orders.readLine()) {
      if (line == null) {
        // The director of this process is gone.
        Runtime.getRuntime().halt(1);
        return;
      }
      obey(line.split(" ", -1));
    }
  }

  /** Carries out one order. */
  protected void obey(String[] words) throws Exception {
    switch (words[0]) {
      case "acquire" -> acquire();
      case "read" -> read();
      case "check" -> say(isTrusted() ? "trusts " + trust.toMillis() : "does not trust");
      case "write" -> write(Long.parseLong(words[1]));
      case "release" -> release();
      default -> throw new IllegalArgumentException(String.join(" ", words));
    }
  }

  /** The next order, which a program may read in the middle of another one. */
  protected final String nextOrder() throws IOException {
    return String.valueOf(orders.readLine());
  }

  protected final boolean isTrusted() {
    Duration left = held.orElseThrow().trust();
    if (left.isPositive()) {
      trust = left;
    }
    return left.isPositive();
  }

  /** Seals the accounts before it returns. */
  private void acquire() throws InterruptedException {
    LeaseRequest request = LeaseRequest.of(key).ttl(TTL);
    for (Kept kept : accounts) {
      request = request.sealing(Seal.of("account", kept.account::seal));
    }
    for (int attempt = 1; ; attempt++) {
      Acquisition acquisition = leases.acquire(request, WAIT);
      if (acquisition instanceof Acquisition.Acquired acquired) {
        Lease lease = acquired.lease();
        held = Optional.of(lease);
        trust = TTL;
        var unused = lease.lost().thenAccept(reason -> say("lost " + reason));
        say("held " + lease.token());
        return;
      }
      if (attempt == MAX_ATTEMPTS) {
        throw new IllegalStateException("not acquired: " + acquisition);
      }
      say("again " + acquisition);
    }
  }

  private void read() throws Exception {
    for (int i = 0; i < accounts.size(); i++) {
      Kept kept = accounts.get(i);
      kept.seen = kept.account.read();
      say("read " + i + " " + Entry.balanceOf(kept.seen));
    }
  }

  protected final void write(long amount) {
    for (int i = 0; i < accounts.size(); i++) {
      write(i, amount);
    }
  }

  protected final void write(int i, long amount) {
    ReportLine said = write(accounts.get(i), amount);
    say(said.word + " " + i + " " + said.detail);
  }

  /** Repeats a failed write, which a server may have ended while this process was stopped. */
  private ReportLine write(Kept kept, long amount) {
    ReportLine failure = new ReportLine("failed", "");
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        if (attempt > 0) {
          kept.seen = kept.account.read();
        }
        return writeOnce(kept, amount);
      } catch (Exception e) {
        failure = new ReportLine("failed", e.toString());
      }
    }
    return failure;
  }

  /** The result of a write. */
  private record ReportLine(String word, String detail) {}

  private ReportLine writeOnce(Kept kept, long amount) throws Exception {
    Lease lease = held.orElseThrow();
    long balance = Entry.balanceOf(kept.seen) - amount;
    List<Entry> log = new ArrayList<>(kept.seen);
    log.add(new Entry(lease.token().value(), name, amount, balance));
    return switch (kept.account.write(new Permit(lease.claim(), trust), log)) {
      case Admission.Admitted admitted -> {
        kept.seen = log;
        yield new ReportLine("wrote", Long.toString(balance));
      }
      case Admission.Stale stale ->
          new ReportLine(
              "refused",
              "token %s is stale, and %s is current".formatted(lease.token(), stale.current()));
      case Admission.Unissued unissued ->
          new ReportLine("refused", "token %s was never issued".formatted(lease.token()));
    };
  }

  private void release() {
    held.orElseThrow().close();
    held = Optional.empty();
    say("released");
  }
}
