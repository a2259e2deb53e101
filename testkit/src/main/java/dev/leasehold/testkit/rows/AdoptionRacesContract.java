package dev.leasehold.testkit.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.spi.AnchorStore;
import dev.leasehold.blocks.rows.spi.OpenResult;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.suite.Rounds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Servers that find the same dead one at once. */
abstract class AdoptionRacesContract extends AnchorsGroup {
  private static final int THREADS = 4;
  private static final int ROUNDS = 10;

  /** Half of them in one process, half in another. */
  private AnchorStore storeOf(int thread) {
    return thread % 2 == 0 ? under.anchors() : under.others();
  }

  @Test
  void of_servers_that_adopt_at_once_one_does() {
    for (int round = 0; round < ROUNDS; round++) {
      SessionGrant dead = session(ANN);
      Anchor anchor = opened(dead).served();
      die(dead);
      List<SessionGrant> living = new ArrayList<>();
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SessionGrant adopter = session(BOB);
        AnchorStore store = storeOf(thread);
        living.add(adopter);
        tasks.add(() -> answer(store.adopt(anchor, dead, adopter)));
      }
      List<Boolean> adopted = Rounds.together(tasks);
      assertThat(adopted).containsOnlyOnce(true);
      SessionGrant winner = living.get(adopted.indexOf(true));
      assertThat(answer(anchors().under(winner))).hasSize(1);
    }
  }

  @Test
  void processes_that_open_at_once_share_no_number() {
    Set<Anchor> numbers = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<Callable<List<Anchor>>> tasks = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SessionGrant session = session(BOB);
        AnchorStore store = storeOf(thread);
        tasks.add(
            () -> {
              assertThat(answer(store.open(session))).isNotNull();
              return answer(store.under(session)).stream().map(found -> found.anchor()).toList();
            });
      }
      Rounds.together(tasks).forEach(numbers::addAll);
    }
    assertThat(numbers).hasSize(2 * THREADS * ROUNDS);
  }

  /** The lock of the session: what ends it waits for the opening, or comes before it. */
  @Test
  void an_opening_beside_the_end_of_its_session_comes_before_it_or_is_refused() {
    for (int round = 0; round < ROUNDS; round++) {
      SessionGrant session = session(ANN);
      Command end = new Command.Release(session.key(), session.token(), ANN, request());
      List<Boolean> opened =
          Rounds.together(
              List.of(
                  () -> answer(under.anchors().open(session)) instanceof OpenResult.Opened,
                  () -> !(lease(end) instanceof Outcome.Released)));
      assertThat(opened.getLast()).as("the session was not closed").isFalse();
      assertThat(orphans().stream().filter(one -> one.anchor().session().equals(session)))
          .hasSize(opened.getFirst() ? 2 : 0);
    }
  }
}
