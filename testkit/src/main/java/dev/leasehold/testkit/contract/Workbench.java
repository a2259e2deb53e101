package dev.leasehold.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.model.RecordValidator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A store on the bench: asked one thing at a time, its clock in hand, and the record of every key
 * that a batch named looked at afterwards.
 */
final class Workbench implements AutoCloseable {
  /** How long a store may take for anything before the test calls it hung. */
  static final long PATIENCE_SECONDS = 30;

  private final StoreUnderTest underTest;
  private final RecordValidator validator;
  private long clockMillis;

  Workbench(StoreUnderTest underTest, long startMillis) {
    this.underTest = underTest;
    this.validator = new RecordValidator(underTest.store().limits());
    setClock(startMillis);
  }

  LeaseStore store() {
    return underTest.store();
  }

  LeaseStore another() {
    return underTest.another();
  }

  Limits limits() {
    return store().limits();
  }

  /** What the store's clock shows. */
  long now() {
    return clockMillis;
  }

  void setClock(long epochMillis) {
    clockMillis = epochMillis;
    underTest.setClock(epochMillis);
  }

  /** Lets store time pass, or steps it back. */
  void pass(Duration by) {
    setClock(clockMillis + by.toMillis());
  }

  Outcome apply(Command command) {
    return applyAll(List.of(command)).getFirst();
  }

  /** Carries out a batch, and looks at every record that it named. */
  List<Outcome> applyAll(List<? extends Command> batch) {
    List<Outcome> outcomes = answer(store().apply(List.copyOf(batch)));
    assertThat(outcomes).as("one outcome for each command").hasSize(batch.size());
    Set<LeaseKey> named = new LinkedHashSet<>();
    batch.forEach(command -> named.add(command.key()));
    named.forEach(this::read);
    return outcomes;
  }

  /** The same, and of the only outcome that will do. */
  <T extends Outcome> T apply(Command command, Class<T> expected) {
    Outcome outcome = apply(command);
    assertThat(outcome).as(command.toString()).isInstanceOf(expected);
    return expected.cast(outcome);
  }

  Grant granted(Command.Acquire command) {
    return apply(command, Outcome.Granted.class).grant();
  }

  Optional<LeaseReading> read(LeaseKey key) {
    Optional<LeaseReading> reading = answer(store().read(key));
    assertThat(validator.violations(key, reading.map(LeaseReading::record)))
        .as("the record of %s, %s", key, reading)
        .isEmpty();
    return reading;
  }

  LeaseRecord record(LeaseKey key) {
    Optional<LeaseReading> reading = read(key);
    assertThat(reading).as("what is on record of " + key).isPresent();
    return reading.orElseThrow().record();
  }

  /** The latest grant on record, whatever became of it. */
  Grant latestGrant(LeaseKey key) {
    return record(key).grant().orElseThrow();
  }

  int purge(Duration deadFor) {
    return answer(store().purge(new PurgeQuery(deadFor.toMillis(), ListQuery.MAX_LIMIT))).purged();
  }

  Advance.Outcome advance(Advance advance) {
    return answer(store().advance(advance));
  }

  /** Everything there is, page by page. */
  List<LeaseReading> listAll(String prefix, int pageSize) {
    List<LeaseReading> found = new ArrayList<>();
    Optional<LeaseKey> after = Optional.empty();
    do {
      var page = answer(store().list(new ListQuery(prefix, after, pageSize)));
      assertThat(page.items()).hasSizeLessThanOrEqualTo(pageSize);
      found.addAll(page.items());
      after = page.next();
    } while (after.isPresent());
    return found;
  }

  static <T> T answer(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw new AssertionError("the store did not answer", e.getCause());
    }
  }

  @Override
  public void close() {
    underTest.close();
  }
}
