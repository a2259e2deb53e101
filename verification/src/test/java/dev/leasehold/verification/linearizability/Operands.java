package dev.leasehold.verification.linearizability;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Command;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The instances, keys and tokens of the operations, by number. Checked texts are created
 * beforehand, because Lincheck would spend its effort on the loops that check them.
 */
final class Operands {
  static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  static final List<LeaseKey> KEYS = List.of(LeaseKey.of("lock", "a"), LeaseKey.of("lock", "b"));

  private static final int INCARNATION = StoreIncarnation.first(CLOCK.millis()).incarnation();
  private static final List<Instance> INSTANCES =
      List.of(
          Instance.of("0".repeat(32)), Instance.of("1".repeat(32)), Instance.of("2".repeat(32)));
  private static final Terms TERMS = Terms.of("holder", Duration.ofSeconds(30));
  private static final Operator OPERATOR = new Operator("operator");
  private static final Explanation WHY = new Explanation("misbehaved");
  private static final List<RequestId> REQUEST_IDS =
      IntStream.range(0, 4).mapToObj(n -> new RequestId("request-" + n)).toList();

  private Operands() {}

  static Command acquire(int key, int who, int request) {
    return Command.Acquire.of(KEYS.get(key), INSTANCES.get(who), requestId(request), TERMS);
  }

  static Command abandon(int key, int who, int request) {
    return new Command.Abandon(KEYS.get(key), INSTANCES.get(who), requestId(request));
  }

  static Command renew(int key, int who, int token) {
    return Command.Renew.of(KEYS.get(key), token(token), INSTANCES.get(who));
  }

  static Command release(int key, int who, int token) {
    return new Command.Release(KEYS.get(key), token(token), INSTANCES.get(who), requestId(token));
  }

  static Command handOver(int key, int who, int token) {
    Instance next = INSTANCES.get((who + 1) % INSTANCES.size());
    Command.Heir heir = new Command.Heir("heir", next.id());
    return new Command.HandOver(
        KEYS.get(key), token(token), INSTANCES.get(who), requestId(token), heir);
  }

  static Command revoke(int key, int request) {
    return new Command.Revoke(
        KEYS.get(key), OPERATOR, WHY, Command.Reopening.NOW, requestId(request));
  }

  private static Token token(int counter) {
    return Token.of(INCARNATION, counter);
  }

  private static RequestId requestId(int number) {
    return REQUEST_IDS.get(number);
  }
}
