package dev.leasehold.verification.linearizability;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * A fence for one slot of each key. A change writes its token there and returns what it found, so
 * that a change that was overtaken between its check and its effect is visible.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "token", gen = IntGen.class, conf = "1:3")
public class FenceOperations {
  private static final List<List<Claim>> CLAIMS = List.of(claims("a"), claims("b"));
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

  final MemoryFence fence = new MemoryFence("slots", new RefusalTrail(CLOCK));

  // Not volatile: the fence itself has to publish what is changed through it.
  private final int[] slots = new int[CLAIMS.size()];

  /** Asks for a token. */
  @Operation
  public String admit(@Param(name = "key") int key, @Param(name = "token") int token) {
    return told(fence.admit(claim(key, token)));
  }

  /** Raises the mark. */
  @Operation
  public String seal(@Param(name = "key") int key, @Param(name = "token") int token) {
    return told(fence.seal(claim(key, token)));
  }

  /** Writes the token into the slot of the key. */
  @Operation
  public String change(@Param(name = "key") int key, @Param(name = "token") int token) {
    return switch (fence.changeAndGet(claim(key, token), () -> overwrite(key, token))) {
      case Changed.Made<Integer> made -> "found " + made.result();
      case Changed.NotMade<Integer> notMade -> told(notMade.why());
    };
  }

  final int overwrite(int key, int token) {
    int found = slots[key];
    slots[key] = token;
    return found;
  }

  private static List<Claim> claims(String name) {
    return Stream.of(1, 2, 3)
        .map(token -> Claim.of(LeaseKey.of("lock", name), new Token(token)))
        .toList();
  }

  static Claim claim(int key, int token) {
    return CLAIMS.get(key).get(token - 1);
  }

  static String told(Admission admission) {
    return switch (admission) {
      case Admission.Admitted admitted -> "admitted";
      case Admission.Stale stale -> "stale below " + stale.current();
      case Admission.Unissued unissued -> "unissued";
    };
  }
}
