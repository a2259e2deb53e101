package dev.leasehold.kernel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One process with its state machines connected; the test plays the store. */
final class EngineFixture {
  static final LeaseKey KEY = Actor.KEY;
  static final long TTL = 30_000;
  static final Duration GRACE = Duration.ofSeconds(3);

  /** Where trust ends after a full grant: ttl - ttl/10. */
  static final long TRUST = 27_000;

  final ManualEnvironment manual = new ManualEnvironment();
  final ScriptedWire commands = new ScriptedWire(manual);
  final ScriptedWire renewals = new ScriptedWire(manual);
  final List<LeaseKey> watched = new ArrayList<>();
  final Holdings holdings =
      new Holdings(new Holdings.Wires(commands, renewals, this::watch), manual.environment);

  private Subscription watch(LeaseKey key) {
    watched.add(key);
    return () -> watched.remove(key);
  }

  static Token token(long counter) {
    return Token.of(1, counter);
  }

  static AcquireRequest wanted() {
    return wanted(KEY);
  }

  static AcquireRequest wanted(LeaseKey key) {
    return wanted(key, Duration.ofMillis(TTL), GRACE);
  }

  static AcquireRequest wanted(LeaseKey key, Duration ttl, Duration grace) {
    return new AcquireRequest(
        key,
        Actor.ANNA.instance(),
        Actor.ANNA.terms(ttl.toMillis()),
        Optional.empty(),
        Timing.of(ttl, grace, Limits.SINGLE_NODE));
  }

  /** One caller, which records what it is told. */
  static final class Caller implements Verdict.Receiver, HeldLease.Listener {
    final List<Verdict> verdicts = new ArrayList<>();
    final List<LossReason> losses = new ArrayList<>();
    int endings;
    Holdings.Ticket ticket = () -> {};

    @Override
    public void receive(Verdict verdict) {
      verdicts.add(verdict);
    }

    @Override
    public void ending() {
      endings++;
    }

    @Override
    public void lost(LossReason reason) {
      losses.add(reason);
    }

    Verdict verdict() {
      assertThat(verdicts).as("told once").hasSize(1);
      return verdicts.getFirst();
    }

    boolean isWaiting() {
      return verdicts.isEmpty();
    }

    HeldLease lease() {
      assertThat(verdict()).isInstanceOf(Verdict.Won.class);
      return ((Verdict.Won) verdict()).lease();
    }
  }

  Caller tryAcquire() {
    return tryAcquire(wanted());
  }

  Caller tryAcquire(AcquireRequest wanted) {
    Caller caller = new Caller();
    manual.event(() -> caller.ticket = holdings.tryAcquire(wanted, caller, caller));
    return caller;
  }

  Caller acquire(Duration wait) {
    return acquire(wanted(), wait);
  }

  Caller acquire(AcquireRequest wanted, Duration wait) {
    Caller caller = new Caller();
    manual.event(() -> caller.ticket = holdings.acquire(wanted, wait.toNanos(), caller, caller));
    return caller;
  }

  Caller inherit(Token token) {
    Caller caller = new Caller();
    manual.event(() -> holdings.inherit(wanted(), token, caller, caller));
    return caller;
  }

  /** A caller that holds the key at once. */
  Caller holding(AcquireRequest wanted, Token token) {
    Caller caller = tryAcquire(wanted);
    ScriptedWire.Sent sent = commands.next();
    sent.answer(ScriptedWire.granted(sent.only(), token, wanted.terms().ttlMillis()));
    assertThat(caller.verdict()).isInstanceOf(Verdict.Won.class);
    return caller;
  }

  Caller holding() {
    return holding(wanted(), token(1));
  }

  List<Outcome> release(Caller caller) {
    List<Outcome> told = new ArrayList<>();
    manual.event(() -> holdings.release(caller.lease(), answer -> told.add(answer.outcome())));
    return told;
  }

  List<Outcome> handOver(Caller caller) {
    List<Outcome> told = new ArrayList<>();
    Command.Heir heir = new Command.Heir(Actor.BEN.name(), Actor.BEN.id());
    manual.event(
        () -> holdings.handOver(caller.lease(), heir, answer -> told.add(answer.outcome())));
    return told;
  }

  List<String> shutDown() {
    List<String> done = new ArrayList<>();
    manual.event(() -> holdings.shutDown(() -> done.add("done")));
    return done;
  }

  void hint() {
    manual.event(() -> holdings.hint(KEY));
  }

  void changed(LeaseChange.Kind kind, long counter) {
    manual.event(() -> holdings.changed(new LeaseChange(kind, KEY, token(counter))));
  }

  long trustMillis(Caller caller) {
    return Duration.ofNanos(caller.lease().trustNanos(manual.nowNanos())).toMillis();
  }

  static Outcome held(long remainingMillis) {
    return held(9, remainingMillis);
  }

  static Outcome held(long counter, long remainingMillis) {
    return new Outcome.Held(Actor.BEN.name(), Actor.BEN.id(), token(counter), remainingMillis);
  }
}
