package dev.leasehold.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.model.RecordValidator;
import dev.leasehold.testkit.suite.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A store on the bench: asked one thing at a time, its clock in hand, and the record of every key
 * that a batch named looked at afterwards.
 */
final class ContractFixture implements AutoCloseable {
  private final StoreUnderTest underTest;
  private final RecordValidator validator;
  private long clockMillis;

  ContractFixture(StoreUnderTest underTest, long startMillis) {
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
    List<Outcome> outcomes = Await.answer(store().apply(List.copyOf(batch)));
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
    Optional<LeaseReading> reading = Await.answer(store().read(key));
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

  /** The latest grant on record, ended or not. */
  Grant latestGrant(LeaseKey key) {
    return record(key).grant().orElseThrow();
  }

  int purge(Duration deadFor) {
    return Await.answer(store().purge(new PurgeQuery(deadFor.toMillis(), ListQuery.MAX_LIMIT)))
        .purged();
  }

  Advance.Outcome advance(Advance advance) {
    return Await.answer(store().advance(advance));
  }

  /** Everything there is, page by page. */
  List<LeaseReading> listAll(String prefix, int pageSize) {
    List<LeaseReading> found = new ArrayList<>();
    Optional<LeaseKey> after = Optional.empty();
    do {
      var page = Await.answer(store().list(new ListQuery(prefix, after, pageSize)));
      assertThat(page.items()).hasSizeLessThanOrEqualTo(pageSize);
      found.addAll(page.items());
      after = page.next();
    } while (after.isPresent());
    return found;
  }

  @Override
  public void close() {
    underTest.close();
  }
}
