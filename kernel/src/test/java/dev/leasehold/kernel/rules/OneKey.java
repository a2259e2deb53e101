package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One key under the rules: a clock that tests set, what a store would have kept, and a check of the
 * whole record after every command. It remembers everything until the test tells it to forget.
 */
final class OneKey implements RequestMemory {
  static final long START = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();
  static final int INCARNATION = 424;
  static final Operator OLGA = new Operator("olga");

  private final Map<Remembered.Request, Remembered> effects = new HashMap<>();
  private final Map<Token, LossReason> endings = new HashMap<>();
  private final Limits limits;
  private LeaseRecord record = LeaseRecord.blank(KEY, Token.of(INCARNATION, 0));
  private StoreIncarnation storeIncarnation = new StoreIncarnation(INCARNATION, 0);
  private long clock = START;
  private int grants;
  private Decision last = Decision.unchanged(new Outcome.Free());

  OneKey() {
    this(Limits.SINGLE_NODE);
  }

  OneKey(Limits limits) {
    this.limits = limits;
  }

  /** The nth token of the key in its first incarnation. */
  static Token token(long counter) {
    return Token.of(INCARNATION, counter);
  }

  static Command.Revoke revoke(Command.Reopening reopening, String requestId) {
    return new Command.Revoke(
        KEY, OLGA, new Explanation("it writes nonsense"), reopening, new RequestId(requestId));
  }

  static Command.Reopen reopen(String requestId) {
    return new Command.Reopen(KEY, OLGA, new RequestId(requestId));
  }

  static LossReason revokedByOlga() {
    return new LossReason.Revoked("olga", "it writes nonsense");
  }

  static Outcome lost(LossReason reason) {
    return new Outcome.Lost(reason);
  }

  static LossReason supersededBy(Actor next, Token token) {
    return new LossReason.Superseded(next.name(), token);
  }

  /** Decides and carries out, as a store does; a follow-up is left to the test. */
  Outcome send(Command command) {
    last = LeaseRules.decide(new KeyState(record, storeIncarnation, this), command, clock, limits);
    boolean writes = !(last.effect() instanceof Decision.Unchanged);
    assertThat(last.followUp().isPresent() && (writes || !(command instanceof Command.Renew)))
        .as("only a renewal that writes nothing is followed up")
        .isFalse();
    assertThat(last.unissued().isPresent() && writes)
        .as("a token that was never issued changes something")
        .isFalse();
    switch (last.effect()) {
      case Decision.Unchanged unchanged -> {}
      case Decision.Put put -> put(put);
      case Decision.Delete delete -> {
        record = LeaseRecord.blank(KEY, delete.floor());
        forgetAll();
      }
    }
    return last.outcome();
  }

  private void put(Decision.Put put) {
    requireOrder(put.record());
    record = put.record();
    put.remembered().ifPresent(effect -> effects.put(effect.request(), effect));
    put.ending().ifPresent(ending -> endings.put(ending.token(), ending.reason()));
  }

  /** Checks what is true of every pair of successive records, after any command. */
  private void requireOrder(LeaseRecord next) {
    assertThat(next.key()).isEqualTo(KEY);
    assertThat(next.last().isBelow(record.last())).as("tokens go back").isFalse();
    assertThat(next.writtenAtMillis())
        .as("store time")
        .isEqualTo(Math.max(clock, record.writtenAtMillis()));
    assertThat(next.grant().map(Grant::token).filter(t -> t.isAbove(next.last()))).isEmpty();
    Optional<Closure> inForce = next.closure().filter(c -> c.isInForce(next.writtenAtMillis()));
    if (next.currentGrant().isPresent()) {
      assertThat(inForce).as("a closed key that is held").isEmpty();
    }
  }

  /** Grants the key to the actor, under a new request id. */
  Token grant(Actor actor) {
    return grant(actor, Actor.TTL);
  }

  Token grant(Actor actor, long ttlMillis) {
    grants++;
    return grant(actor.acquire("grant-" + grants, actor.terms(ttlMillis)));
  }

  Token grant(Command.Acquire acquire) {
    Outcome outcome = send(acquire);
    assertThat(outcome).isInstanceOf(Outcome.Granted.class);
    return ((Outcome.Granted) outcome).grant().token();
  }

  void pass(long millis) {
    clock += millis;
  }

  void stepClockBack(long millis) {
    clock -= millis;
  }

  void advanceTo(int incarnation, long holdOffMillis) {
    storeIncarnation = new StoreIncarnation(incarnation, clock + holdOffMillis);
  }

  void forgetAll() {
    effects.clear();
    endings.clear();
  }

  void startAbove(Token floor) {
    record = LeaseRecord.blank(KEY, floor);
  }

  LeaseRecord record() {
    return record;
  }

  /** The latest grant, ended or not. */
  Grant grant() {
    return record.grant().orElseThrow();
  }

  /** The decision about the last command. */
  Decision last() {
    return last;
  }

  void assertNothingWritten() {
    assertThat(last.effect()).isEqualTo(new Decision.Unchanged());
  }

  List<LeaseChange> told() {
    return last.effect() instanceof Decision.Put put ? put.changes() : List.of();
  }

  static LeaseChange change(LeaseChange.Kind kind, Token token) {
    return new LeaseChange(kind, KEY, token);
  }

  long now() {
    return clock;
  }

  @Override
  public Optional<Remembered> effectOf(Remembered.Request request) {
    return Optional.ofNullable(effects.get(request));
  }

  @Override
  public Optional<LossReason> endOf(Token token) {
    return Optional.ofNullable(endings.get(token));
  }
}
