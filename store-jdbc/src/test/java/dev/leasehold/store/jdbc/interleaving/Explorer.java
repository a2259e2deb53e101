package dev.leasehold.store.jdbc.interleaving;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a scene in every order within bounds: depth first, without a memory of states. Each run
 * follows the previous one up to a point, takes another move there, and then lets each actor
 * continue for as long as it can.
 */
public final class Explorer {
  private final LockTable locks;
  private final Bounds bounds;

  public Explorer(LockTable locks, Bounds bounds) {
    this.locks = locks;
    this.bounds = bounds;
  }

  /**
   * The bounds of a search.
   *
   * @param preemptions how often another actor may continue although the last one could; a switch
   *     is free if the last one waits or has ended
   * @param timeouts how often a wait for a lock may be ended
   * @param runs the most orders that are run
   */
  public record Bounds(int preemptions, int timeouts, int runs) {
    /** Every order, if there are not too many. */
    public static final Bounds ALL = new Bounds(Integer.MAX_VALUE, 0, 20_000);
  }

  /**
   * The result of a search.
   *
   * @param complete whether every order within the bounds was run
   * @param deadlocks in how many orders all actors waited for each other
   * @param strayed how many orders left the previous one too early
   */
  public record Explored(int runs, boolean complete, int deadlocks, int strayed, long steps) {}

  private record Decision(List<Move> moves, boolean canGoOn, int chosen) {
    boolean costs(int index) {
      return canGoOn && index > 0 && moves.get(index) instanceof Move.Step;
    }

    boolean isTimeout(int index) {
      return moves.get(index) instanceof Move.End && moves.getFirst() instanceof Move.Step;
    }

    boolean isDeadlock() {
      return moves.getFirst() instanceof Move.End;
    }
  }

  /** Runs the scene in every order; the first order that is judged wrong ends the search. */
  public Explored explore(Scenario scenario) throws Exception {
    int runs = 0;
    int deadlocks = 0;
    int strayed = 0;
    long steps = 0;
    Optional<String> next = Optional.of("");
    while (next.isPresent() && runs < bounds.runs()) {
      Run run = run(scenario, next.get());
      runs++;
      steps += run.decisions.size();
      deadlocks += run.decisions.stream().anyMatch(Decision::isDeadlock) ? 1 : 0;
      strayed += run.strayed ? 1 : 0;
      next = after(run.decisions);
    }
    return new Explored(runs, next.isEmpty(), deadlocks, strayed, steps);
  }

  /** Runs the scene once in the given order, and from its end on in any order. */
  public void replay(Scenario scenario, String order) throws Exception {
    Run unused = run(scenario, order);
  }

  /** One run, and the choices that it had. */
  private static final class Run implements Interleaving.Chooser {
    private final String order;
    private final List<Decision> decisions = new ArrayList<>();
    private boolean strayed;

    Run(String order) {
      this.order = order;
    }

    @Override
    public Move choose(Interleaving.Choice choice) {
      int chosen = 0;
      if (decisions.size() < order.length()) {
        String wanted = String.valueOf(order.charAt(decisions.size()));
        chosen = choice.moves().stream().map(Move::toString).toList().indexOf(wanted);
        strayed |= chosen < 0;
        chosen = Math.max(0, chosen);
      }
      decisions.add(new Decision(choice.moves(), choice.canGoOn(), chosen));
      return choice.moves().get(chosen);
    }

    String asRun() {
      StringBuilder text = new StringBuilder();
      decisions.forEach(decision -> text.append(decision.moves().get(decision.chosen())));
      return text.toString();
    }
  }

  private Run run(Scenario scenario, String order) throws Exception {
    Interleaving interleaving = new Interleaving(scenario.begin(), locks, bounds.timeouts() > 0);
    Run run = new Run(order);
    try {
      interleaving.run(run);
      if (!interleaving.failures().isEmpty()) {
        var failure = interleaving.failures().entrySet().iterator().next();
        throw new AssertionError(
            failure.getKey() + " failed: " + failure.getValue(), failure.getValue());
      }
      scenario.judge();
      return run;
    } catch (AssertionError e) {
      throw new WrongOrder(run.asRun(), interleaving.trace(), e);
    }
  }

  /** An order that was judged wrong. */
  public static final class WrongOrder extends AssertionError {
    private static final long serialVersionUID = 1L;
    private final String order;

    WrongOrder(String order, String trace, Throwable cause) {
      super("in the order " + order + ":\n" + trace + "\n" + cause.getMessage(), cause);
      this.order = order;
    }

    /** The order, for a replay. */
    public String order() {
      return order;
    }
  }

  /** The next order: the last decision with an alternative takes that alternative. */
  private Optional<String> after(List<Decision> decisions) {
    for (int at = decisions.size() - 1; at >= 0; at--) {
      Decision decision = decisions.get(at);
      for (int other = decision.chosen() + 1; other < decision.moves().size(); other++) {
        if (isWithinBounds(decisions.subList(0, at), decision, other)) {
          StringBuilder order = new StringBuilder();
          decisions.subList(0, at).forEach(d -> order.append(d.moves().get(d.chosen())));
          return Optional.of(order.append(decision.moves().get(other)).toString());
        }
      }
    }
    return Optional.empty();
  }

  private boolean isWithinBounds(List<Decision> before, Decision decision, int other) {
    long preemptions = before.stream().filter(d -> d.costs(d.chosen())).count();
    long timeouts = before.stream().filter(d -> d.isTimeout(d.chosen())).count();
    return preemptions + (decision.costs(other) ? 1 : 0) <= bounds.preemptions()
        && timeouts + (decision.isTimeout(other) ? 1 : 0) <= bounds.timeouts();
  }
}
