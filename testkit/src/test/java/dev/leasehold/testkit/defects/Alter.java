package dev.leasehold.testkit.defects;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.RequestMemory;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.Rules;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Ways to bend a decision: what it is told, or what comes of it. */
final class Alter {
  private static final Rules SOUND = Rules.sound();

  private Alter() {}

  /** Changes what a decision comes to, for one kind of command. */
  interface AfterThought<C extends Command> {
    Decision revise(Asked<C> asked, Decision sound);
  }

  /** What was to be decided. */
  record Asked<C extends Command>(KeyState state, C command, long clockMillis) {
    Optional<Grant> grant() {
      return state.record().grant();
    }

    /** The record's own time. */
    long nowMillis() {
      return Math.max(clockMillis, state.record().writtenAtMillis());
    }
  }

  static <C extends Command> Rules after(Class<C> kind, AfterThought<C> thought) {
    return (state, command, clockMillis, limits) -> {
      Decision sound = SOUND.decide(state, command, clockMillis, limits);
      return kind.isInstance(command)
          ? thought.revise(new Asked<>(state, kind.cast(command), clockMillis), sound)
          : sound;
    };
  }

  /** Changes what a decision is told of the key, for one kind of command. */
  interface Misunderstanding<C extends Command> {
    KeyState misread(Asked<C> asked);
  }

  static <C extends Command> Rules misread(Class<C> kind, Misunderstanding<C> how) {
    return (state, command, clockMillis, limits) -> {
      KeyState read =
          kind.isInstance(command)
              ? how.misread(new Asked<>(state, kind.cast(command), clockMillis))
              : state;
      return SOUND.decide(read, command, clockMillis, limits);
    };
  }

  static <C extends Command> Rules misreadRecord(
      Class<C> kind, UnaryOperator<LeaseRecord> misreading) {
    return misread(kind, asked -> with(asked.state(), misreading.apply(asked.state().record())));
  }

  static <C extends Command> Rules rewrite(Class<C> kind, UnaryOperator<LeaseRecord> rewriting) {
    return after(kind, (asked, sound) -> rewritten(sound, rewriting));
  }

  static KeyState with(KeyState state, LeaseRecord record) {
    return new KeyState(record, state.storeIncarnation(), state.memory());
  }

  static KeyState with(KeyState state, StoreIncarnation storeIncarnation) {
    return new KeyState(state.record(), storeIncarnation, state.memory());
  }

  static KeyState withGrant(KeyState state, UnaryOperator<Grant> change) {
    LeaseRecord record = state.record();
    return record
        .grant()
        .map(grant -> with(state, record.withGrant(change.apply(grant), record.writtenAtMillis())))
        .orElse(state);
  }

  /** Forgets some of what the store remembers of requests. */
  static KeyState forgetting(KeyState state, Predicate<Remembered> forgotten) {
    RequestMemory memory = state.memory();
    RequestMemory worse =
        new RequestMemory() {
          @Override
          public Optional<Remembered> effectOf(Remembered.Request request) {
            return memory.effectOf(request).filter(forgotten.negate());
          }

          @Override
          public Optional<LossReason> endOf(Token token) {
            return memory.endOf(token);
          }
        };
    return new KeyState(state.record(), state.storeIncarnation(), worse);
  }

  static Rules forgettingVerb(Remembered.Verb verb) {
    return misread(
        Command.class, asked -> forgetting(asked.state(), known -> known.request().verb() == verb));
  }

  static Decision with(Decision decision, Outcome outcome) {
    return new Decision(outcome, decision.effect(), decision.unissued(), decision.followUp());
  }

  static Decision with(Decision decision, Decision.Effect effect) {
    return new Decision(decision.outcome(), effect, decision.unissued(), decision.followUp());
  }

  static Decision unchanged(Decision decision) {
    return with(decision, new Decision.Unchanged());
  }

  /** The same decision, with another record written; one that writes nothing stays as it is. */
  static Decision rewritten(Decision decision, UnaryOperator<LeaseRecord> rewriting) {
    return decision.effect() instanceof Decision.Put put
        ? with(
            decision,
            new Decision.Put(
                rewriting.apply(put.record()), put.remembered(), put.ending(), put.changes()))
        : decision;
  }

  static LeaseRecord changeGrant(LeaseRecord record, UnaryOperator<Grant> change) {
    return record
        .grant()
        .map(grant -> record.withGrant(change.apply(grant), record.writtenAtMillis()))
        .orElse(record);
  }

  static Grant withInstance(Grant grant, InstanceId id) {
    return new Grant(
        grant.token(),
        id,
        grant.requestId(),
        grant.terms(),
        grant.grantedAtMillis(),
        grant.renewedAtMillis(),
        grant.expiresAtMillis(),
        grant.progress(),
        grant.standing());
  }

  static Grant withRequest(Grant grant, RequestId requestId) {
    return new Grant(
        grant.token(),
        grant.instanceId(),
        requestId,
        grant.terms(),
        grant.grantedAtMillis(),
        grant.renewedAtMillis(),
        grant.expiresAtMillis(),
        grant.progress(),
        grant.standing());
  }

  static Grant withProgress(Grant grant, Progress progress) {
    return new Grant(
        grant.token(),
        grant.instanceId(),
        grant.requestId(),
        grant.terms(),
        grant.grantedAtMillis(),
        grant.renewedAtMillis(),
        grant.expiresAtMillis(),
        progress,
        grant.standing());
  }

  static Grant withExpiry(Grant grant, long expiresAtMillis, Standing standing) {
    return new Grant(
        grant.token(),
        grant.instanceId(),
        grant.requestId(),
        grant.terms(),
        grant.grantedAtMillis(),
        grant.renewedAtMillis(),
        expiresAtMillis,
        grant.progress(),
        standing);
  }
}
