package dev.leasehold.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.history.Tally.Count;
import org.junit.jupiter.api.Test;

class TallyTest {
  @Test
  void aRunThatTestedNothingFails() {
    Tally tally = new HistoryScript().verdict().tally();
    assertThatThrownBy(() -> tally.requireAtLeast(Count.GRANTS, 1))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the run was no test: 0 of GRANTS, at least 1 are needed");
  }

  @Test
  void aGrantFoundExpiredAndThenTakenOverHasExpiredOnce() {
    Tally tally =
        new HistoryScript()
            .granted(0, 1, HistoryScript.acquire("a", HistoryScript.ALICE))
            .log(30, new LogEntry.Lapsed(HistoryScript.token(1)))
            .granted(40, 2, HistoryScript.acquire("b", HistoryScript.BOB))
            .granted(80, 3, HistoryScript.acquire("c", HistoryScript.ALICE))
            .verdict()
            .tally();
    assertThat(tally.of(Count.GRANTS)).isEqualTo(3);
    assertThat(tally.of(Count.TAKEOVERS)).isEqualTo(2);
    assertThat(tally.of(Count.EXPIRIES)).isEqualTo(2);
  }
}
