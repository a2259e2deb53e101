package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Limits;
import java.util.Optional;

/** A key's state at the moment of a decision, with the questions that several verbs ask. */
record DecisionContext(KeyState state, LeaseRecord record, long clockMillis, Limits limits) {

  static DecisionContext at(KeyState state, long clockMillis, Limits limits) {
    return new DecisionContext(
        state,
        LeaseRules.inIncarnation(state.record(), state.storeIncarnation()),
        clockMillis,
        limits);
  }

  /**
   * For one key, time never goes back behind its last write: a clock that is stepped back only
   * stands still.
   */
  long nowMillis() {
    return Math.max(clockMillis, record.writtenAtMillis());
  }

  /**
   * How long the whole store still grants nothing. Only the clock counts here: a key that was
   * written while the clock was too high must not leave the hold-off early.
   */
  long heldOffMillis() {
    return state.storeIncarnation().heldOffUntilMillis() - clockMillis;
  }

  Token nextToken() {
    return record.last().next(state.storeIncarnation().incarnation());
  }

  /** Whose token the command brought. */
  sealed interface Claim {}

  /** The caller's own current grant. */
  record Own(Grant grant) implements Claim {}

  /** The token belongs to another grant, or to one that has ended. */
  record Foreign(LossReason reason, Optional<Token> unissued) implements Claim {}

  Claim claim(Token token, InstanceId caller) {
    Optional<Grant> sameToken = record.grant().filter(g -> g.token().equals(token));
    if (sameToken.isPresent() && !sameToken.get().instanceId().equals(caller)) {
      return new Foreign(new LossReason.NotHolder(), Optional.empty());
    }
    return claim(token);
  }

  /** The same without comparing the instance, for commands that the store sends to itself. */
  Claim claim(Token token) {
    Optional<Grant> own = record.currentGrant().filter(g -> g.token().equals(token));
    if (own.isPresent()) {
      return new Own(own.get());
    }
    return new Foreign(lossOf(token), unissued(token));
  }

  /** The token, if this store never issued it for the key. */
  Optional<Token> unissued(Token token) {
    return token.isAbove(record.last()) ? Optional.of(token) : Optional.empty();
  }

  /** Why a token is not that of the current grant. */
  LossReason lossOf(Token token) {
    if (record.grant().isEmpty() || token.isAbove(record.grant().get().token())) {
      return LossReason.Unknown.after(followedBy());
    }
    Grant latest = record.grant().get();
    if (token.equals(latest.token())) {
      return LeaseRules.endOf(latest).orElseGet(LossReason.Expired::new);
    }
    return state.memory().endOf(token).orElseGet(() -> supersededBy(latest));
  }

  /** The token that every later grant of the key will exceed. */
  private Token followedBy() {
    Token floor = state.storeIncarnation().floor();
    return record.last().isAbove(floor) ? record.last() : floor;
  }

  static LossReason supersededBy(Grant next) {
    return new LossReason.Superseded(next.terms().info().holder(), next.token());
  }

  /** What the store must remember of the grant that a new one follows. */
  Optional<Ending> endingBefore(Grant next) {
    return record
        .grant()
        .map(g -> new Ending(g.token(), LeaseRules.endOf(g).orElseGet(() -> supersededBy(next))));
  }

  boolean isRepeat(RequestId requestId, Caller caller, Remembered.Verb verb) {
    return effectOf(requestId, caller, verb).isPresent();
  }

  Optional<Remembered> effectOf(RequestId requestId, Caller caller, Remembered.Verb verb) {
    return state.memory().effectOf(new Remembered.Request(requestId, caller, verb));
  }

  LeaseChange change(LeaseChange.Kind kind, Token token) {
    return new LeaseChange(kind, record.key(), token);
  }
}
