package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.testkit.suite.Comparison;
import dev.leasehold.testkit.suite.Difference;
import dev.leasehold.testkit.suite.Differential;
import dev.leasehold.testkit.suite.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/** A store of leases beside the model. */
public final class LeaseDifferential implements Comparison<LeaseStep> {
  private final LongFunction<? extends StoreUnderTest> open;

  LeaseDifferential(LongFunction<? extends StoreUnderTest> open) {
    this.open = open;
  }

  /**
   * Runs so many steps from a seed, on a store of its own.
   *
   * @param open opens a fresh store whose clock shows that time; called again while shrinking
   */
  public static Optional<Difference> firstDifference(
      LongFunction<? extends StoreUnderTest> open, Seed seed, int steps) {
    return Differential.firstDifference(new LeaseDifferential(open), seed, steps);
  }

  @Override
  public Trial<LeaseStep> begin(long startMillis) {
    return new LeaseTrial(open.apply(startMillis), startMillis);
  }

  @Override
  public int parts(LeaseStep step) {
    return step instanceof LeaseStep.Send send ? send.batch().size() : 0;
  }

  @Override
  public LeaseStep without(LeaseStep step, int part) {
    if (!(step instanceof LeaseStep.Send send)) {
      return step;
    }
    List<Command> rest = new ArrayList<>(send.batch());
    rest.remove(part);
    return new LeaseStep.Send(rest);
  }

  /**
   * A step that issued tokens can only go if later steps name lower ones: leaves it out, with the
   * tokens of one of its keys lowered by one or two from there on.
   */
  @Override
  public List<List<LeaseStep>> rewritten(List<LeaseStep> steps, int at) {
    if (!(steps.get(at) instanceof LeaseStep.Send send)) {
      return List.of();
    }
    List<List<LeaseStep>> candidates = new ArrayList<>();
    for (LeaseKey key : send.batch().stream().map(Command::key).distinct().toList()) {
      for (int by = 1; by <= 2; by++) {
        List<LeaseStep> candidate = new ArrayList<>(steps.subList(0, at));
        for (LeaseStep later : steps.subList(at + 1, steps.size())) {
          candidate.add(LowerTokens.in(later, key, by));
        }
        candidates.add(candidate);
      }
    }
    return candidates;
  }

  @Override
  public List<String> lines(List<LeaseStep> steps, long startMillis) {
    return LeaseScript.lines(steps, startMillis);
  }
}
