package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.EventLog;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecks;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.RecordingStore;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.testkit.model.ForwardingStore;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.verification.engines.LossyProxy.Fate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reply to a commit is lost, its request is lost, or the request is still in flight when the
 * retry comes. A command that is sent again under its request id acts once and gets the same answer
 * (I8), and no grant is left without a holder that knows of it.
 */
class ReplyLostTest {
  private static final int ROUNDS = Boolean.getBoolean("leasehold.proof") ? 500 : 25;

  /**
   * A store retries up to three times by itself, so only more strikes than that reach its caller.
   */
  private static final int BY_ITSELF = 3;

  private static final int KEYS = 3;

  @TempDir Path folder;

  private final EventLog events = new EventLog();
  private final Seed seed = Seed.forTest("lost replies");
  private final SplittableRandom random = seed.random();
  private final Instance instance = Instance.random();
  private PostgresNode node;
  private LossyProxy proxy;
  private int turn;

  @BeforeEach
  void start() {
    node = PostgresNode.start(folder.resolve("postgres"));
    new Journal(node.database()).install();
    proxy = new LossyProxy(node.port());
  }

  @AfterEach
  void stop() {
    proxy.close();
    node.close();
  }

  @Test
  void aCommandThatIsSentAgainUnderItsIdActsOnce() throws Exception {
    CheckResult verdict = run(store -> store, this::nextStrike, ROUNDS);
    verdict.requireClean();
    verdict.tally().requireAtLeast(Count.GRANTS, ROUNDS);
    verdict.tally().requireAtLeast(Count.UNKNOWNS, ROUNDS / 5);
    verdict.tally().requireAtLeast(Count.UNKNOWNS_APPLIED, ROUNDS / 10);
    verdict.tally().requireAtLeast(Count.RETRIES, ROUNDS / 5);
  }

  /** The control: a new request id for the second attempt is found out. */
  @Test
  void aNewRequestIdForTheSecondAttemptIsFoundOut() throws Exception {
    CheckResult verdict = run(AskingAnew::new, () -> surely(Fate.REPLY_LOST), 5);
    assertThat(verdict.broken()).contains(Invariant.I8);
  }

  /** The control: reading whether it took effect is found out, when the commit comes later. */
  @Test
  void aBareReadInsteadOfASecondAttemptIsFoundOut() throws Exception {
    CheckResult verdict = run(Looking::new, () -> surely(Fate.REQUEST_LATE), 5);
    assertThat(verdict.broken()).contains(Invariant.I8);
  }

  /** The fate of one of the two commands of a round. */
  private record Strike(Fate fate, int times, boolean atAcquire) {}

  /** Each fate in turn, and each number of strikes: so enough outcomes are unknown in every run. */
  private Strike nextStrike() {
    List<Fate> fates = List.of(Fate.values());
    int strike = turn++;
    int times = 1 + strike / fates.size() % (2 * BY_ITSELF);
    return new Strike(fates.get(strike % fates.size()), times, random.nextBoolean());
  }

  private static Strike surely(Fate fate) {
    return new Strike(fate, BY_ITSELF, true);
  }

  private CheckResult run(
      UnaryOperator<LeaseStore> resolution, Supplier<Strike> strikes, int rounds) throws Exception {
    HistoryRecorder recorder = new HistoryRecorder("client", Ticker.system(), events);
    try (JdbcStore store = JdbcStore.at(proxy.url()).open()) {
      LeaseStore recorded = new RecordingStore(resolution.apply(store.leases()), recorder);
      for (int key = 0; key < KEYS; key++) {
        round(recorded, new LeaseKey("work/" + key), new Strike(Fate.REPLY_LOST, 1, true));
      }
      for (int round = 0; round < rounds; round++) {
        round(recorded, new LeaseKey("work/" + random.nextInt(KEYS)), strikes.get());
      }
    }
    proxy.deliverLate();
    List<Event> all = new ArrayList<>(events.events());
    all.addAll(new Journal(node.database()).entries());
    return HistoryChecks.check(History.of(all));
  }

  /** Acquires a key and releases it, with one strike. */
  private void round(LeaseStore store, LeaseKey key, Strike strike) throws Exception {
    RequestId acquiring = RequestId.random();
    RequestId releasing = RequestId.random();
    RequestId struck = strike.atAcquire ? acquiring : releasing;
    proxy.strike(struck.text(), strike.fate, strike.times);
    Terms terms = Terms.of("client", Duration.ofSeconds(30));
    Outcome outcome = resolved(store, Command.Acquire.of(key, instance, acquiring, terms));
    if (random.nextBoolean()) {
      proxy.deliverLate();
    }
    if (outcome instanceof Outcome.Granted granted) {
      Token token = granted.grant().token();
      Outcome unused = resolved(store, new Command.Release(key, token, instance, releasing));
    }
    assertThat(proxy.relent()).isPositive();
  }

  /** The same command under the same id, until its outcome is known. */
  private static Outcome resolved(LeaseStore store, Command command) throws Exception {
    Outcome outcome = ask(store, command);
    for (int again = 0; again < BY_ITSELF && outcome instanceof Outcome.Failed failed; again++) {
      if (failed.certainty() == Certainty.NOT_APPLIED) {
        return failed;
      }
      outcome = ask(store, command);
    }
    return outcome;
  }

  private static Outcome ask(LeaseStore store, Command command) throws Exception {
    return store.apply(List.of(command)).toCompletableFuture().get(1, TimeUnit.MINUTES).getFirst();
  }

  private static boolean isUnknown(Outcome outcome) {
    return outcome instanceof Outcome.Failed failed && failed.certainty() == Certainty.UNKNOWN;
  }

  /** A wrong way to resolve the unknown outcome of an acquire. */
  private abstract static class Resolving extends ForwardingStore {
    Resolving(LeaseStore store) {
      super(store);
    }

    abstract CompletionStage<List<Outcome>> resolve(Command.Acquire acquire, Outcome unknown);

    final CompletionStage<List<Outcome>> passOn(Command command) {
      return super.apply(List.of(command));
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return super.apply(batch)
          .thenCompose(
              outcomes ->
                  isUnknown(outcomes.getFirst())
                          && batch.getFirst() instanceof Command.Acquire acquire
                      ? resolve(acquire, outcomes.getFirst())
                      : CompletableFuture.completedFuture(outcomes));
    }
  }

  /** Asks again under another id. */
  private static final class AskingAnew extends Resolving {
    AskingAnew(LeaseStore store) {
      super(store);
    }

    @Override
    CompletionStage<List<Outcome>> resolve(Command.Acquire first, Outcome unknown) {
      return passOn(
          Command.Acquire.of(first.key(), first.instance(), RequestId.random(), first.terms()));
    }
  }

  /** Reads the record. */
  private static final class Looking extends Resolving {
    Looking(LeaseStore store) {
      super(store);
    }

    @Override
    CompletionStage<List<Outcome>> resolve(Command.Acquire acquire, Outcome unknown) {
      return read(acquire.key())
          .thenApply(
              found ->
                  found
                      .flatMap(reading -> reading.record().grant())
                      .filter(grant -> grant.requestId().equals(acquire.requestId()))
                      .map(grant -> unknown)
                      .orElse(new Outcome.Failed(Certainty.NOT_APPLIED, "it is not on record")))
          .thenApply(List::of);
    }
  }
}
