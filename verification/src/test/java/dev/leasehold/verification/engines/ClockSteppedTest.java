package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.verification.engines.Ledger.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server's clock is stepped, an hour forward and two back. Grants end early or late because of
 * it, but tokens grow (I2), the fence holds (I4), and a grant that was found expired does not come
 * back (I3). Needs libfaketime, as Debian's package faketime has it.
 */
class ClockSteppedTest {
  private static final Duration TTL = Duration.ofMinutes(1);
  private static final long HOUR_SECONDS = 3_600;
  private static final LeaseKey KEY = new LeaseKey("work/one");

  /** What was found expired is forgotten again. */
  private static final String LAPSE_FORGOTTEN =
      """
      CREATE FUNCTION test_lapse_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.standing = 1 THEN
          RETURN OLD;
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER test_lapse_forgotten BEFORE UPDATE ON leasehold_lease
      FOR EACH ROW EXECUTE FUNCTION test_lapse_forgotten();
      """;

  @TempDir Path folder;

  private final Judged judged = new Judged();
  private Optional<PostgresNode> started = Optional.empty();

  @BeforeEach
  void start() throws IOException {
    Optional<Path> library = library();
    assumeTrue(
        library.isPresent(),
        "SKIPPED: libfaketime is not installed, so the server's clock cannot be stepped"
            + " (Debian: apt-get install faketime)");
    step(0);
    Map<String, String> environment =
        Map.of(
            "LD_PRELOAD",
            library.orElseThrow().toString(),
            "FAKETIME_TIMESTAMP_FILE",
            offset().toString(),
            "FAKETIME_NO_CACHE",
            "1",
            "FAKETIME_DONT_FAKE_MONOTONIC",
            "1");
    PostgresNode node = PostgresNode.start(folder.resolve("postgres"), environment);
    started = Optional.of(node);
    new Journal(node.database()).install();
  }

  @AfterEach
  void stop() {
    started.ifPresent(PostgresNode::close);
  }

  private static Optional<Path> library() throws IOException {
    Path root = Path.of("/usr/lib");
    if (!Files.isDirectory(root)) {
      return Optional.empty();
    }
    try (Stream<Path> folders = Files.list(root)) {
      return folders
          .map(folder -> folder.resolve("faketime/libfaketime.so.1"))
          .filter(Files::exists)
          .findFirst();
    }
  }

  private Path offset() {
    return folder.resolve("offset");
  }

  /** Sets the difference between the server's clock and the machine's. */
  private void step(long seconds) throws IOException {
    Files.writeString(offset(), (seconds < 0 ? "" : "+") + seconds + "\n");
    judged.saw(new Fault.ClockStepped(judged.nanos(), seconds * 1_000));
  }

  @Test
  void tokensAndFencesHoldWhereverTheClockGoes() throws Exception {
    CheckResult verdict = stepBothWays();
    verdict.requireClean();
    verdict.tally().requireAtLeast(Count.TAKEOVERS, 1);
    verdict.tally().requireAtLeast(Count.REFUSALS, 4);
  }

  /** The control: a store that forgets what it has found expired is found out. */
  @Test
  void anExpiryThatIsForgottenIsFoundOut() throws Exception {
    started.orElseThrow().database().execute(LAPSE_FORGOTTEN);
    CheckResult verdict = stepBothWays();
    assertThat(verdict.broken()).contains(Invariant.I3);
  }

  private CheckResult stepBothWays() throws Exception {
    PostgresNode node = started.orElseThrow();
    try (JdbcStore store = JdbcStore.at(node.url()).open();
        Ledger ledger = new Ledger(node.database())) {
      LeaseStore recorded = judged.recorded(store.leases());
      Client first = Client.of(recorded);
      Client second = Client.of(recorded);
      Token early = first.take(KEY, TTL);
      ledger.change(Target.FENCED, Claim.of(KEY, early), judged.nanos());

      step(HOUR_SECONDS);
      assertThat(first.renew(KEY, early)).isEqualTo(new Outcome.Lost(new LossReason.Expired()));
      step(-HOUR_SECONDS);
      Outcome again = first.renew(KEY, early);

      step(HOUR_SECONDS);
      if (!(again instanceof Outcome.Renewed)) {
        Token late = second.take(KEY, TTL);
        ledger.seal(Claim.of(KEY, late), judged.nanos());
        ledger.change(Target.FENCED, Claim.of(KEY, early), judged.nanos());
        step(-HOUR_SECONDS);
        assertThat(first.acquire(KEY, TTL)).isInstanceOf(Outcome.Held.class);
        assertThat(second.renew(KEY, late)).isInstanceOf(Outcome.Renewed.class);
        assertThat(second.release(KEY, late)).isInstanceOf(Outcome.Released.class);
        assertThat(first.take(KEY, TTL)).isGreaterThan(late);
      }
      return judged.verdict(node.database(), Ledger.events(node.database(), Target.FENCED));
    }
  }
}
