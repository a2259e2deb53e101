package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds a shorter list of steps that still shows a difference: halves go first, then ever smaller
 * chunks, single steps, single commands of batches, and grants with their tokens, until nothing
 * more can go.
 */
final class Shrinker {
  private final Predicate<List<Step>> shows;
  private int attemptsLeft;

  Shrinker(Predicate<List<Step>> shows, int attempts) {
    this.shows = shows;
    this.attemptsLeft = attempts;
  }

  List<Step> shrink(List<Step> steps) {
    List<Step> smaller = steps;
    List<Step> before;
    do {
      before = smaller;
      for (int chunk = Math.max(1, smaller.size() / 2); chunk >= 1; chunk /= 2) {
        smaller = withoutChunks(smaller, chunk);
      }
      smaller = withSmallerBatches(smaller);
      smaller = withFewerGrants(smaller);
    } while (size(smaller) < size(before));
    return smaller;
  }

  private static int size(List<Step> steps) {
    return steps.stream()
        .mapToInt(step -> step instanceof Step.Send send ? 1 + send.batch().size() : 1)
        .sum();
  }

  /** From the end, where most of what is not needed lies. */
  private List<Step> withoutChunks(List<Step> steps, int chunk) {
    List<Step> kept = steps;
    for (int end = steps.size(); end > 0; end -= chunk) {
      int to = Math.min(end, kept.size());
      List<Step> candidate = without(kept, Math.max(0, to - chunk), to);
      if (stillShows(candidate)) {
        kept = candidate;
      }
    }
    return kept;
  }

  private List<Step> withSmallerBatches(List<Step> steps) {
    List<Step> kept = new ArrayList<>(steps);
    for (int i = 0; i < kept.size(); i++) {
      int last = kept.get(i) instanceof Step.Send send ? send.batch().size() - 1 : 0;
      for (int command = last; command >= 0; command--) {
        if (kept.get(i) instanceof Step.Send send && send.batch().size() > 1) {
          Step smaller = new Step.Send(without(send.batch(), command, command + 1));
          List<Step> candidate = new ArrayList<>(kept);
          candidate.set(i, smaller);
          if (stillShows(candidate)) {
            kept = candidate;
          }
        }
      }
    }
    return kept;
  }

  /**
   * A step that issued tokens can only go if later steps name lower ones: tries each step without
   * it, with the tokens of one of its keys lowered by one or two from there on.
   */
  private List<Step> withFewerGrants(List<Step> steps) {
    List<Step> kept = steps;
    for (int i = steps.size() - 1; i >= 0; i--) {
      if (i < kept.size() && kept.get(i) instanceof Step.Send send) {
        kept = withoutGrantsOf(kept, i, send);
      }
    }
    return kept;
  }

  private List<Step> withoutGrantsOf(List<Step> steps, int at, Step.Send send) {
    for (LeaseKey key : send.batch().stream().map(Command::key).distinct().toList()) {
      for (int by = 1; by <= 2; by++) {
        List<Step> candidate = new ArrayList<>(steps.subList(0, at));
        for (Step later : steps.subList(at + 1, steps.size())) {
          candidate.add(LowerTokens.in(later, key, by));
        }
        if (stillShows(candidate)) {
          return candidate;
        }
      }
    }
    return steps;
  }

  private boolean stillShows(List<Step> candidate) {
    return attemptsLeft-- > 0 && shows.test(candidate);
  }

  private static <T> List<T> without(List<T> list, int from, int to) {
    List<T> rest = new ArrayList<>(list.subList(0, from));
    rest.addAll(list.subList(to, list.size()));
    return rest;
  }
}
