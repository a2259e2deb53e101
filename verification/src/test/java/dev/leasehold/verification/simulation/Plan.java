package dev.leasehold.verification.simulation;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The plan of one seed: its faults, and the number of processes and keys. Different seeds have
 * different subsets, since one fault can hide another.
 */
final class Plan {
  private static final int FEWEST_KINDS = 6;

  /** Faults that strike a single message or step; the others last. */
  private static final Set<FaultKind> SMALL =
      EnumSet.of(
          FaultKind.PAUSED_BEFORE_WRITE,
          FaultKind.PAUSED_IN_KEEPER,
          FaultKind.SENDING_BLOCKED,
          FaultKind.REQUEST_LOST,
          FaultKind.REQUEST_DUPLICATED,
          FaultKind.REQUEST_LATE,
          FaultKind.REPLY_LOST,
          FaultKind.REPLY_LATE,
          FaultKind.STORE_BROKEN,
          FaultKind.COMMAND_FAILED,
          FaultKind.HINT_LOST,
          FaultKind.HINT_LATE,
          FaultKind.HINT_DOUBLED,
          FaultKind.HINT_ASTRAY,
          FaultKind.WRITE_LATE);

  private final Map<FaultKind, Double> chances = new EnumMap<>(FaultKind.class);
  private final Set<FaultKind> lasting = EnumSet.noneOf(FaultKind.class);
  private final boolean leaping;
  final int processes;
  final int sharedKeys;
  final long lengthNanos;
  final boolean hasLull;

  /** Whether the store is one of rows, locks and connections, or one that decides at once. */
  final boolean hasRows;

  Plan(SplittableRandom random) {
    processes = 5 + random.nextInt(3);
    sharedKeys = 2 + random.nextInt(3);
    leaping = random.nextInt(12) == 0;
    hasLull = random.nextInt(6) == 0;
    lengthNanos = World.SECOND * (80 + random.nextInt(100));
    hasRows = random.nextBoolean();
    while (chances.size() + lasting.size() < FEWEST_KINDS) {
      draw(random);
    }
  }

  private void draw(SplittableRandom random) {
    for (FaultKind kind : FaultKind.values()) {
      boolean wanted =
          switch (kind) {
            case CLOCK_LEAPT -> leaping;
            case ROLLED_BACK_SILENTLY -> random.nextInt(4) == 0;
            case CONTENDERS_CROWDED, ROWS_DELETED_BY_HAND -> hasRows && random.nextBoolean();
            default -> random.nextInt(2) == 0;
          };
      if (wanted && SMALL.contains(kind)) {
        chances.put(kind, chance(kind, random));
      } else if (wanted) {
        lasting.add(kind);
      }
    }
  }

  private static double chance(FaultKind kind, SplittableRandom random) {
    double most =
        switch (kind) {
          case HINT_LOST -> 1.0;
          case HINT_LATE, HINT_DOUBLED -> 0.5;
          case PAUSED_BEFORE_WRITE, WRITE_LATE -> 0.06;
          case PAUSED_IN_KEEPER, SENDING_BLOCKED, STORE_BROKEN -> 0.02;
          default -> 0.06;
        };
    return most * (0.1 + 0.9 * random.nextDouble());
  }

  double chanceOf(FaultKind kind) {
    return chances.getOrDefault(kind, 0.0);
  }

  /** The lasting faults of this seed. */
  Set<FaultKind> lasting() {
    return lasting;
  }

  /** Whether the store's clock leaps: then promises that depend on time are not judged. */
  boolean leaps() {
    return leaping;
  }
}
