package dev.leasehold.verification.simulation;

import dev.leasehold.kernel.model.LossReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * I12: no lease is lost that its ttl would have kept. A lease may be lost only if its trust had run
 * out, renewals were tried as often as they should be, and each of them failed.
 */
final class Fairness {
  private static final long SLACK = 300 * World.MILLI;

  private Fairness() {}

  private record Span(long from, long to) {}

  static void judge(World world, HeldLeaseView view, LossReason reason, long rolledBackNanos) {
    // A store that has lost a renewal finds a grant expired that its holder has renewed.
    boolean renewalsLost = rolledBackNanos >= view.goodSinceNanos;
    boolean byTime =
        reason instanceof LossReason.Unreachable
            || (reason instanceof LossReason.Expired && !renewalsLost);
    if (!byTime || world.plan().leaps()) {
      return;
    }
    long left = view.trustUntilTicks - view.process().ticks();
    if (reason instanceof LossReason.Unreachable && left > 0) {
      world.broken(
          "I12",
          view + " was lost as unreachable " + left / World.MILLI + " ms before its trust ends");
      return;
    }
    long end = world.now() + Math.min(0, left);
    List<Span> excuses = excuses(view);
    long gap = longestGap(view.goodSinceNanos, end, excuses);
    long interval = view.wanted().timing().renewEveryNanos();
    long slept = view.process().sleptSince(view.goodSinceNanos - view.longestNanos());
    if (gap > interval + interval / 50 + slept + SLACK) {
      world.broken(
          "I12",
          view + " was lost though nothing kept it from renewing for " + gap / World.MILLI + " ms");
    } else if (view.attempts == 0 && excuses.isEmpty() && slept == 0 && gap > SLACK) {
      world.broken("I12", view + " was lost and no renewal was even tried");
    }
  }

  private static List<Span> excuses(HeldLeaseView view) {
    List<Span> excuses = new ArrayList<>();
    view.failed.forEach(sent -> excuses.add(new Span(sent, sent)));
    for (SimProcess.Absence absence : view.process().absences) {
      if (absence.toNanos() >= view.goodSinceNanos) {
        excuses.add(new Span(absence.fromNanos(), absence.toNanos()));
      }
    }
    excuses.sort(Comparator.comparingLong(Span::from));
    return excuses;
  }

  private static long longestGap(long from, long to, List<Span> excuses) {
    long longest = 0;
    long at = from;
    for (Span excuse : excuses) {
      if (excuse.to() > from && excuse.from() < to) {
        longest = Math.max(longest, excuse.from() - at);
        at = Math.max(at, excuse.to());
      }
    }
    return Math.max(longest, to - at);
  }
}
