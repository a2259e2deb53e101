package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.testkit.model.ModelStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * Draws the next step. It looks at the model, so that most of what it asks makes sense and clocks
 * stop at the moments where a decision turns.
 */
final class LeaseStepGenerator {
  private static final long A_MINUTE = Duration.ofMinutes(1).toMillis();
  private static final long AN_HOUR = Duration.ofHours(1).toMillis();

  private final SplittableRandom random;
  private final ModelStore model;
  private final CommandGenerator commands;
  private long clockMillis;
  private long latestMillis;

  LeaseStepGenerator(SplittableRandom random, ModelStore model, long startMillis) {
    this.random = random;
    this.model = model;
    this.clockMillis = startMillis;
    this.latestMillis = startMillis;
    this.commands = new CommandGenerator(random.split(), model);
  }

  LeaseStep next() {
    int dice = random.nextInt(1_000);
    if (dice < 320) {
      return moveClock();
    }
    if (dice < 330) {
      return new LeaseStep.Sweep(random.nextBoolean() ? 0 : random.nextLong(AN_HOUR));
    }
    if (dice < 335) {
      return new LeaseStep.Raise(advance());
    }
    if (dice < 355) {
      return new LeaseStep.ListAll(1 + random.nextInt(4));
    }
    if (dice < 365) {
      return new LeaseStep.ChangeHandle();
    }
    int size = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(8);
    return new LeaseStep.Send(commands.batch(size, clockMillis));
  }

  private LeaseStep moveClock() {
    long target = drawClock();
    clockMillis = Math.max(1, target);
    latestMillis = Math.max(latestMillis, clockMillis);
    commands.clockMovedTo(clockMillis);
    return new LeaseStep.SetClock(clockMillis);
  }

  private long drawClock() {
    if (clockMillis < latestMillis && random.nextInt(4) == 0) {
      return latestMillis;
    }
    int dice = random.nextInt(100);
    if (dice < 40) {
      return clockMillis + random.nextLong(1, 300);
    }
    if (dice < 60) {
      return clockMillis + random.nextLong(1, 20_000);
    }
    if (dice < 86) {
      return turningPoint();
    }
    if (dice < 92) {
      return clockMillis + random.nextLong(A_MINUTE, 16 * A_MINUTE);
    }
    if (dice < 94) {
      return clockMillis + random.nextLong(AN_HOUR, 48 * AN_HOUR);
    }
    return clockMillis - backwards();
  }

  private long backwards() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong(1, 100);
      case 1 -> random.nextLong(1, 30_000);
      case 2 -> random.nextLong(1, 15 * A_MINUTE);
      default -> random.nextLong(1, 30 * AN_HOUR);
    };
  }

  /** The moment at which something ends by itself, or right before or after it. */
  private long turningPoint() {
    List<Long> points = new ArrayList<>();
    points.add(model.storeIncarnation().heldOffUntilMillis());
    commands.keys().stream()
        .flatMap(key -> model.read(key, clockMillis).stream())
        .map(LeaseReading::record)
        .forEach(record -> addPoints(record, points));
    points.removeIf(point -> point < clockMillis - A_MINUTE);
    if (points.isEmpty()) {
      return clockMillis + 1;
    }
    return points.get(random.nextInt(points.size())) + random.nextInt(-1, 2);
  }

  private void addPoints(LeaseRecord record, List<Long> points) {
    long memoryMillis = model.limits().memoryMillis();
    points.add(record.writtenAtMillis() + memoryMillis);
    record.bar().ifPresent(bar -> points.add(bar.untilMillis()));
    record.closure().ifPresent(closure -> closure.untilMillis().ifPresent(points::add));
    if (record.currentGrant().isPresent()) {
      Grant grant = record.currentGrant().get();
      points.add(grant.expiresAtMillis());
      points.add(grant.expiresAtMillis() + memoryMillis);
      points.add(grant.progress().movedAtMillis() + grant.terms().stallLimit().millis());
    }
  }

  private Advance advance() {
    int incarnation = model.storeIncarnation().incarnation();
    OptionalInt above =
        random.nextInt(3) == 0
            ? OptionalInt.empty()
            : OptionalInt.of(Math.max(0, incarnation + random.nextInt(-3, 4)));
    OptionalInt witness =
        random.nextInt(3) == 0
            ? OptionalInt.of(random.nextInt(incarnation + 2))
            : OptionalInt.empty();
    OptionalLong holdOff =
        random.nextBoolean() ? OptionalLong.of(random.nextLong(5_000)) : OptionalLong.empty();
    return new Advance(above, witness, holdOff);
  }
}
