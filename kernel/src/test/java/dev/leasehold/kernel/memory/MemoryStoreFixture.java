package dev.leasehold.kernel.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A memory store with a clock that tests set, and its answers unpacked. */
final class MemoryStoreFixture {
  static final long START = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();
  static final int INCARNATION = 424;

  private final AtomicLong clock = new AtomicLong(START);
  final LeaseStore store =
      new MemoryLeaseStore(() -> Instant.ofEpochMilli(clock.get()), Limits.SINGLE_NODE);

  static Token token(long counter) {
    return Token.of(INCARNATION, counter);
  }

  static LeaseKey key(String name) {
    return LeaseKey.of("lock", name);
  }

  static Command.Acquire acquire(Actor actor, LeaseKey key) {
    return Command.Acquire.of(
        key, actor.instance(), new RequestId("acquire"), actor.terms(Actor.TTL));
  }

  static Command.Release release(Actor actor, LeaseKey key, Token token) {
    return new Command.Release(key, token, actor.instance(), new RequestId("release"));
  }

  void pass(long millis) {
    clock.addAndGet(millis);
  }

  static <T> T now(CompletionStage<T> stage) {
    assertThat(stage.toCompletableFuture()).as("answered before it returns").isCompleted();
    return stage.toCompletableFuture().join();
  }

  List<Outcome> send(Command... batch) {
    return now(store.apply(List.of(batch)));
  }

  Outcome sendOne(Command command) {
    return send(command).getFirst();
  }

  Token grant(Actor actor, LeaseKey key) {
    return grant(acquire(actor, key));
  }

  Token grant(Command.Acquire acquire) {
    Outcome outcome = sendOne(acquire);
    assertThat(outcome).isInstanceOf(Outcome.Granted.class);
    return ((Outcome.Granted) outcome).grant().token();
  }

  Optional<LeaseRecord> record(LeaseKey key) {
    return now(store.read(key)).map(LeaseReading::record);
  }
}
