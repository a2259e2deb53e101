package dev.leasehold.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.history.Tally.Count;
import org.junit.jupiter.api.Test;

class TallyTest {
  @Test
  void aRunThatTestedNothingFails() {
    Tally tally = new Scene().verdict().tally();
    assertThatThrownBy(() -> tally.requireAtLeast(Count.GRANTS, 1))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the run was no test: 0 of GRANTS, at least 1 are needed");
  }

  @Test
  void aGrantFoundExpiredAndThenTakenOverHasExpiredOnce() {
    Tally tally =
        new Scene()
            .granted(0, 1, Scene.acquire("a", Scene.ALICE))
            .log(30, new LogEntry.Lapsed(Scene.token(1)))
            .granted(40, 2, Scene.acquire("b", Scene.BOB))
            .granted(80, 3, Scene.acquire("c", Scene.ALICE))
            .verdict()
            .tally();
    assertThat(tally.of(Count.GRANTS)).isEqualTo(3);
    assertThat(tally.of(Count.TAKEOVERS)).isEqualTo(2);
    assertThat(tally.of(Count.EXPIRIES)).isEqualTo(2);
  }
}
