package dev.leasehold.testkit.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds a shorter list of steps that still shows a difference: halves go first, then ever smaller
 * chunks, single steps, single commands of batches, and steps that only go if later ones are
 * rewritten, until nothing more can go.
 */
final class Shrinker<S> {
  private final Comparison<S> comparison;
  private final Predicate<List<S>> shows;
  private int attemptsLeft;

  Shrinker(Comparison<S> comparison, Predicate<List<S>> shows, int attempts) {
    this.comparison = comparison;
    this.shows = shows;
    this.attemptsLeft = attempts;
  }

  List<S> shrink(List<S> steps) {
    List<S> smaller = steps;
    List<S> before;
    do {
      before = smaller;
      for (int chunk = Math.max(1, smaller.size() / 2); chunk >= 1; chunk /= 2) {
        smaller = withoutChunks(smaller, chunk);
      }
      smaller = withSmallerSteps(smaller);
      smaller = withRewrittenSteps(smaller);
    } while (size(smaller) < size(before));
    return smaller;
  }

  private int size(List<S> steps) {
    return steps.stream().mapToInt(step -> 1 + comparison.parts(step)).sum();
  }

  /** From the end, where most of what is not needed lies. */
  private List<S> withoutChunks(List<S> steps, int chunk) {
    List<S> kept = steps;
    for (int end = steps.size(); end > 0; end -= chunk) {
      int to = Math.min(end, kept.size());
      List<S> candidate = new ArrayList<>(kept.subList(0, Math.max(0, to - chunk)));
      candidate.addAll(kept.subList(to, kept.size()));
      if (stillShows(candidate)) {
        kept = candidate;
      }
    }
    return kept;
  }

  private List<S> withSmallerSteps(List<S> steps) {
    List<S> kept = new ArrayList<>(steps);
    for (int i = 0; i < kept.size(); i++) {
      for (int part = comparison.parts(kept.get(i)) - 1; part >= 0; part--) {
        if (comparison.parts(kept.get(i)) > 1) {
          List<S> candidate = new ArrayList<>(kept);
          candidate.set(i, comparison.without(kept.get(i), part));
          if (stillShows(candidate)) {
            kept = candidate;
          }
        }
      }
    }
    return kept;
  }

  private List<S> withRewrittenSteps(List<S> steps) {
    List<S> kept = steps;
    for (int i = steps.size() - 1; i >= 0; i--) {
      if (i < kept.size()) {
        kept = rewrittenAt(kept, i);
      }
    }
    return kept;
  }

  private List<S> rewrittenAt(List<S> steps, int at) {
    for (List<S> candidate : comparison.rewritten(steps, at)) {
      if (stillShows(candidate)) {
        return candidate;
      }
    }
    return steps;
  }

  private boolean stillShows(List<S> candidate) {
    return attemptsLeft-- > 0 && shows.test(candidate);
  }
}
