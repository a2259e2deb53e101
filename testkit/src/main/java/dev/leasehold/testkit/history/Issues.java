package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The numbers of a key that clients were told of, with the time in which each was issued: not
 * before its request was first called, and not after the first answer that told of it.
 */
final class Issues {
  /**
   * One number of one request.
   *
   * @param told the first answer that told of it
   */
  record Issue(Token token, long calledNanos, Call told) {
    long returnedNanos() {
      return told.returnedNanos();
    }
  }

  private final List<Issue> issues = new ArrayList<>();

  private Issues() {}

  static Issues of(KeyHistory history) {
    Issues issues = new Issues();
    history.requests().values().forEach(issues::add);
    return issues;
  }

  private void add(Attempts attempts) {
    List<Call> calls = attempts.calls();
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      if (call.issued().isPresent() && isFirstTold(calls, i)) {
        issues.add(new Issue(call.issued().get(), attempts.firstCalledNanos(), call));
      }
    }
  }

  /** Whether no other attempt told of the same number earlier. */
  private static boolean isFirstTold(List<Call> calls, int index) {
    Call call = calls.get(index);
    for (int i = 0; i < calls.size(); i++) {
      Call other = calls.get(i);
      boolean earlier =
          other.returnedNanos() < call.returnedNanos()
              || (other.returnedNanos() == call.returnedNanos() && i < index);
      if (earlier && other.issued().equals(call.issued())) {
        return false;
      }
    }
    return true;
  }

  List<Issue> inTokenOrder() {
    return sorted(Comparator.comparingLong(issue -> issue.token().value()));
  }

  List<Issue> inCallOrder() {
    return sorted(Comparator.comparingLong(Issue::calledNanos));
  }

  List<Issue> inReturnOrder() {
    return sorted(Comparator.comparingLong(Issue::returnedNanos));
  }

  private List<Issue> sorted(Comparator<Issue> order) {
    List<Issue> sorted = new ArrayList<>(issues);
    sorted.sort(order);
    return sorted;
  }

  /** The highest number that clients had been told of at times that only move forward. */
  static final class HighestTold {
    private final List<Issue> inReturnOrder;
    private int next;
    private int highest = -1;

    HighestTold(List<Issue> inReturnOrder) {
      this.inReturnOrder = inReturnOrder;
    }

    /** Whether one above the token had been told of before this time. */
    boolean isAbove(Token token, long nanos) {
      while (next < inReturnOrder.size() && inReturnOrder.get(next).returnedNanos() < nanos) {
        if (highest < 0 || inReturnOrder.get(next).token().isAbove(issue().token())) {
          highest = next;
        }
        next++;
      }
      return highest >= 0 && issue().token().isAbove(token);
    }

    /** The one that {@link #isAbove} has found. */
    Issue issue() {
      return inReturnOrder.get(highest);
    }
  }
}
