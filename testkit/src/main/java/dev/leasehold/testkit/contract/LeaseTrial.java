package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.model.ModelStore;
import dev.leasehold.testkit.model.RecordValidator;
import dev.leasehold.testkit.model.Rules;
import dev.leasehold.testkit.suite.Await;
import dev.leasehold.testkit.suite.Mismatch;
import dev.leasehold.testkit.suite.Trial;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A store and the model side by side, given the same steps. After each step every record that it
 * touched is compared and validated.
 */
final class LeaseTrial implements Trial<LeaseStep> {
  /** More keys than a trial ever has, so that a sweep takes all that is dead. */
  private static final int SWEEP_LIMIT = 10_000;

  /** How often a renewal is repeated that met the store's own ending of a stall. */
  private static final int TRIES_BESIDE_AN_ENDING = 20;

  private final StoreUnderTest underTest;
  private final ModelStore model;
  private final RecordValidator validator;
  private final Set<LeaseKey> touched = new LinkedHashSet<>();

  /** The keys that the store may be ending a grant of, by itself and without being waited for. */
  private final Set<LeaseKey> stalled = new LinkedHashSet<>();

  private LeaseStore handle;
  private long clockMillis;

  LeaseTrial(StoreUnderTest underTest, long startMillis) {
    this.underTest = underTest;
    this.handle = underTest.store();
    this.model = new ModelStore(Rules.sound(), underTest.store().limits(), startMillis);
    this.validator = new RecordValidator(underTest.store().limits());
    this.clockMillis = startMillis;
    underTest.setClock(startMillis);
  }

  ModelStore model() {
    return model;
  }

  @Override
  public Supplier<LeaseStep> generator(SplittableRandom random) {
    return new LeaseStepGenerator(random, model, clockMillis)::next;
  }

  @Override
  public void take(LeaseStep step) throws Mismatch {
    switch (step) {
      case LeaseStep.SetClock set -> setClock(set.toMillis());
      case LeaseStep.Send send -> send(send.batch());
      case LeaseStep.Sweep sweep -> sweep(sweep.deadForMillis());
      case LeaseStep.Raise raise -> raise(raise.advance());
      case LeaseStep.ChangeHandle change -> changeHandle();
      case LeaseStep.ListAll list -> listAll(list.pageSize());
    }
  }

  private void changeHandle() {
    handle = handle.equals(underTest.store()) ? underTest.another() : underTest.store();
  }

  private void setClock(long toMillis) {
    clockMillis = toMillis;
    underTest.setClock(toMillis);
  }

  /** The model's answer, and what a store that remembers more than it must may say instead. */
  private record Expected(
      Command command, Outcome outcome, Outcome alternative, boolean wordsAreFree) {
    boolean isMetBy(Outcome actual) {
      if (!wordsAreFree) {
        return outcome.equals(actual) || alternative.equals(actual);
      }
      if (outcome instanceof Outcome.Closed held && actual instanceof Outcome.Closed closed) {
        return held.remainingMillis().equals(closed.remainingMillis());
      }
      return outcome.getClass().equals(actual.getClass());
    }
  }

  /**
   * Different keys of a batch have no order. It shows where one is purged: the others of its bucket
   * are judged by the floor from before or from after it, which says whether a token is suspect.
   */
  private static boolean raisesFloorOfAnother(Command purge, List<Command> batch) {
    return purge instanceof Command.Purge
        && batch.stream()
            .map(Command::key)
            .anyMatch(
                key -> !key.equals(purge.key()) && Buckets.of(key) == Buckets.of(purge.key()));
  }

  /**
   * A renewal that finds a stall is followed by an ending that a store may do later. So the batch
   * is cut there, and the ending sent by the trial, which makes no difference if it was done.
   */
  private void send(List<Command> batch) throws Mismatch {
    if (batch.size() > 1 && batch.stream().anyMatch(one -> raisesFloorOfAnother(one, batch))) {
      for (Command command : batch) {
        send(List.of(command));
      }
      return;
    }
    List<Expected> expected = new ArrayList<>();
    for (Command command : batch) {
      if (followsRenewalBesideAnEnding(command, expected)) {
        sendTogether(expected);
        expected.clear();
      }
      Expected next = expect(command);
      expected.add(next);
      if (command instanceof Command.Renew renew && isStalled(next.outcome())) {
        stalled.add(renew.key());
        sendTogether(expected);
        sendTogether(List.of(expect(new Command.EndStalled(renew.key(), renew.token()))));
        expected.clear();
      }
    }
    if (!expected.isEmpty() || batch.isEmpty()) {
      sendTogether(expected);
    }
    compareRecords(batch.stream().map(Command::key).distinct().toList());
  }

  /** Such a renewal may have to be repeated, and what follows it on its key must come after. */
  private boolean followsRenewalBesideAnEnding(Command command, List<Expected> before) {
    return before.stream()
        .map(Expected::command)
        .anyMatch(earlier -> mayMeetAnEnding(earlier) && earlier.key().equals(command.key()));
  }

  private boolean mayMeetAnEnding(Command command) {
    return command instanceof Command.Renew && stalled.contains(command.key());
  }

  private static boolean isStalled(Outcome outcome) {
    return outcome instanceof Outcome.Lost lost && lost.reason() instanceof LossReason.Stalled;
  }

  private Expected expect(Command command) {
    Outcome outcome = model.apply(command, clockMillis);
    return new Expected(
        command, outcome, alternative(command, outcome), isWordedByTheStore(command, outcome));
  }

  private Outcome alternative(Command command, Outcome outcome) {
    if (outcome instanceof Outcome.Ended ended && ended.reason() instanceof LossReason.Superseded) {
      return model
          .trueEndOf(command.key(), ended.token())
          .<Outcome>map(reason -> new Outcome.Ended(ended.token(), reason))
          .orElse(outcome);
    }
    if (outcome instanceof Outcome.Lost lost && lost.reason() instanceof LossReason.Superseded) {
      return tokenOf(command)
          .flatMap(token -> model.trueEndOf(command.key(), token))
          .<Outcome>map(Outcome.Lost::new)
          .orElse(outcome);
    }
    return outcome;
  }

  private static Optional<Token> tokenOf(Command command) {
    return switch (command) {
      case Command.Renew renew -> Optional.of(renew.token());
      case Command.Release release -> Optional.of(release.token());
      case Command.HandOver handOver -> Optional.of(handOver.token());
      case Command.EndStalled endStalled -> Optional.of(endStalled.token());
      case Command.EndExpired endExpired -> Optional.of(endExpired.token());
      default -> Optional.empty();
    };
  }

  private void sendTogether(List<Expected> expected) throws Mismatch {
    List<Command> batch = expected.stream().map(Expected::command).toList();
    List<Outcome> actual = Await.answer(handle.apply(batch));
    if (actual.size() != batch.size()) {
      throw new Mismatch("answers to a batch", batch.size(), actual.size());
    }
    for (int i = 0; i < batch.size(); i++) {
      Expected one = expected.get(i);
      Outcome answer =
          mayMeetAnEnding(one.command())
              ? afterTheEnding(one.command(), actual.get(i))
              : actual.get(i);
      if (!one.isMetBy(answer)) {
        throw new Mismatch("the answer to " + one.command(), one.outcome(), answer);
      }
    }
  }

  /** A renewal does not wait for a locked row, so it is sent again, as a holder does. */
  private Outcome afterTheEnding(Command renewal, Outcome first) {
    Outcome answer = first;
    for (int i = 0; i < TRIES_BESIDE_AN_ENDING && isNotApplied(answer); i++) {
      answer = Await.answer(handle.apply(List.of(renewal))).getFirst();
    }
    return answer;
  }

  private static boolean isNotApplied(Outcome outcome) {
    return outcome instanceof Outcome.Failed failed
        && failed.certainty() == Outcome.Certainty.NOT_APPLIED;
  }

  /** A rejection and the hold-off of the whole store are worded by the store. */
  private boolean isWordedByTheStore(Command command, Outcome outcome) {
    return outcome instanceof Outcome.Rejected
        || (command instanceof Command.Acquire
            && outcome instanceof Outcome.Closed
            && clockMillis < model.storeIncarnation().heldOffUntilMillis());
  }

  private void compareRecords(List<LeaseKey> keys) throws Mismatch {
    touched.addAll(keys);
    for (LeaseKey key : keys) {
      Optional<LeaseReading> expected = model.read(key, clockMillis);
      Optional<LeaseReading> actual = Await.answer(handle.read(key));
      Optional<LeaseRecord> record = actual.map(LeaseReading::record);
      List<String> violations = validator.violations(key, record);
      if (!violations.isEmpty()) {
        throw new Mismatch("the record of " + key, violations, record);
      }
      Mismatch.unlessEqual("what is on record of " + key, expected, actual);
    }
  }

  private void sweep(long deadForMillis) throws Mismatch {
    PurgeQuery query = new PurgeQuery(deadForMillis, SWEEP_LIMIT);
    Mismatch.unlessEqual(
        "the purge", model.purge(query, clockMillis), Await.answer(handle.purge(query)));
    compareRecords(List.copyOf(touched));
  }

  private void raise(Advance advance) throws Mismatch {
    Advance.Outcome expected = model.advance(advance, clockMillis);
    Advance.Outcome actual = Await.answer(handle.advance(advance));
    if (!(expected instanceof Advance.Refused) || !(actual instanceof Advance.Refused)) {
      Mismatch.unlessEqual("the answer to " + advance, expected, actual);
    }
    compareRecords(List.copyOf(touched));
  }

  private void listAll(int pageSize) throws Mismatch {
    ListQuery query = new ListQuery("", Optional.empty(), pageSize);
    Optional<LeaseKey> next;
    do {
      LeasePage expected = model.list(query, clockMillis);
      Mismatch.unlessEqual(
          "a page after " + query.after(), expected, Await.answer(handle.list(query)));
      next = expected.next();
      query = new ListQuery("", next, pageSize);
    } while (next.isPresent());
    compareSuspicions();
  }

  /** They are counted since the store was opened: by each handle for itself, or for both. */
  private void compareSuspicions() throws Mismatch {
    long expected = model.suspectedRollbacks().count();
    long here = Await.answer(underTest.store().suspectedRollbacks()).count();
    long there = Await.answer(underTest.another().suspectedRollbacks()).count();
    if (here + there != expected) {
      Mismatch.unlessEqual(
          "suspected rollbacks", List.of(expected, expected), List.of(here, there));
    }
  }

  @Override
  public void close() {
    underTest.close();
  }
}
