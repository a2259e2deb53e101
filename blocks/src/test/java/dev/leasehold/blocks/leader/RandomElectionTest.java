package dev.leasehold.blocks.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The engine with answers that come late, in any order, twice or never. In every run, elected,
 * ending and lost are notified once each and in order, work runs only between elected and the end,
 * and the replica is no candidate while work runs. {@code -Dleasehold.seed=N} repeats a run.
 */
class RandomElectionTest {
  private static final int SEEDS = 2_000;
  private static final int STEPS = 400;

  @Test
  void theOrderOfEventsHoldsInEveryRandomWorld() {
    long given = Long.getLong("leasehold.seed", -1);
    long first = given < 0 ? 0 : given;
    for (long seed = first; seed < (given < 0 ? SEEDS : first + 1); seed++) {
      new World(seed).run();
    }
  }

  private static final class World {
    private final long seed;
    private final Random random;
    private final ElectionEngine engine = new ElectionEngine();
    private final List<Event> underWay = new ArrayList<>();
    private final Set<Long> elected = new HashSet<>();
    private final Set<Long> electedNotified = new HashSet<>();
    private final Set<Long> ending = new HashSet<>();
    private final Set<Long> lost = new HashSet<>();
    private final Set<Long> working = new HashSet<>();
    private final Set<Long> held = new HashSet<>();
    private long lastCampaign;
    private boolean closed;

    World(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      happens(new Event.Start());
      for (int step = 0; step < STEPS; step++) {
        happens(underWay.isEmpty() || random.nextInt(4) == 0 ? anything() : arrival());
      }
      check(lost.containsAll(elected) || engine.role() != Role.STANDBY, "a term is left open");
      check(held.size() <= 1, "two leases are held: " + held);
    }

    /** Events arrive in any order, and sometimes twice; but an attempt is won once. */
    private Event arrival() {
      int place = random.nextInt(underWay.size());
      boolean comesAgain = random.nextInt(8) == 0 && !(underWay.get(place) instanceof Event.Won);
      return comesAgain ? underWay.get(place) : underWay.remove(place);
    }

    private Event anything() {
      long campaign = Math.max(1, engine.campaign() - random.nextInt(3));
      return switch (random.nextInt(40)) {
        case 0 -> new Event.Close();
        case 1, 2, 3 -> new Event.StepDown(() -> true);
        case 4, 5, 6 -> new Event.StepDown(() -> false);
        case 7, 8 -> new Event.HandedOver(new Token(1 + random.nextInt(100)));
        case 9, 10, 11, 12 -> new Event.Ending(campaign, new LossReason.Unreachable());
        case 13 -> new Event.ShutdownTimeout();
        case 14, 15 -> new Event.Lost(campaign, new LossReason.Stalled());
        case 16 -> new Event.Start();
        default -> new Event.Lost(campaign, new LossReason.Expired());
      };
    }

    private void happens(Event event) {
      // The reported event is true: a thread that reports its end has ended.
      if (event instanceof Event.WorkEnded ended) {
        working.remove(ended.campaign());
      }
      if (event instanceof Event.Won won) {
        held.add(won.campaign());
      }
      engine.on(event).forEach(this::perform);
    }

    private void perform(Action action) {
      switch (action) {
        case Action.Campaign campaign -> stand(campaign.campaign());
        case Action.Inherit inherit -> stand(inherit.campaign());
        case Action.Withdraw withdraw -> {}
        case Action.Discard discard -> held.remove(discard.campaign());
        case Action.NotifyElected told -> {
          check(elected.add(told.campaign()), "elected twice");
          underWay.add(new Event.ElectedNotified(told.campaign()));
        }
        case Action.NotifyEnding told -> {
          check(elected.contains(told.campaign()), "ending before elected");
          check(ending.add(told.campaign()), "ending twice");
        }
        case Action.NotifyLost told -> {
          check(ending.contains(told.campaign()), "lost before ending");
          check(lost.add(told.campaign()), "lost twice");
        }
        case Action.StartWork start -> {
          check(elected.contains(start.campaign()), "work before elected");
          check(!ending.contains(start.campaign()), "work after the end");
          check(electedNotified.add(start.campaign()), "work twice");
          working.add(start.campaign());
        }
        case Action.StopWork stop -> underWay.add(new Event.WorkEnded(stop.campaign()));
        case Action.WindDown windDown -> {
          if (random.nextBoolean()) {
            underWay.add(new Event.Lost(windDown.campaign(), new LossReason.Released()));
          }
        }
        case Action.ReleaseLease release -> releaseLease(release);
        case Action.NotifySteppedDown told ->
            check(lost.contains(told.campaign()), "stepped down before lost");
        case Action.RefuseStepDown refused ->
            check(engine.role() != Role.LEADER, "a leader was refused");
        case Action.Pause pause -> underWay.add(new Event.PauseOver(pause.campaign()));
        case Action.LimitShutdown limit -> {}
        case Action.NotifyClosed told -> {
          check(!closed, "closed twice");
          closed = true;
        }
      }
    }

    private void stand(long campaign) {
      check(campaign > lastCampaign, "a campaign comes again");
      check(working.isEmpty(), "a candidate while work runs: " + working);
      check(lost.containsAll(elected), "a candidate before its term is over");
      check(!closed, "a candidate after closing");
      lastCampaign = campaign;
      underWay.add(random.nextInt(4) == 0 ? new Event.NotWon(campaign) : new Event.Won(campaign));
    }

    private void releaseLease(Action.ReleaseLease release) {
      boolean overlaps = release.request().map(StepDownRequest::overlaps).orElse(false);
      check(overlaps || working.isEmpty(), "given back while work runs");
      check(lost.contains(release.campaign()), "given back before it was told as lost");
      check(held.remove(release.campaign()), "given back twice");
      underWay.add(new Event.LeaseReleased(release.campaign()));
    }

    private void check(boolean holds, String broken) {
      assertThat(holds).as("%s, with -Dleasehold.seed=%s", broken, seed).isTrue();
    }
  }
}
