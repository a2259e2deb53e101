package dev.leasehold.examples.gateway;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.examples.gateway.Sandbox.Phase;
import dev.leasehold.fence.Token;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the archive finds, and what it accepts. */
class ArchiveTest {
  private static final Sandbox READY =
      Sandbox.wanted("plain", "gateway-1").in(Phase.READY, "gateway-2 under 7");
  private static final Archive ARCHIVE = new Archive(new Token(8), Map.of("x", READY));

  @Test
  void aWriteOfAnEarlierTermIsFound() {
    Sandbox later = READY.in(Phase.ERROR, "gateway-2 under 7");
    assertThatThrownBy(() -> ARCHIVE.compareWith(Map.of("x", later)))
        .hasMessageContaining("was written after 8 had begun");
  }

  @Test
  void aHistoryThatWasOverwrittenIsFound() {
    Sandbox other = new Sandbox("plain", Phase.READY, "", List.of(), List.of());
    assertThatThrownBy(() -> ARCHIVE.compareWith(Map.of("x", other)))
        .hasMessageContaining("history of x");
  }

  @Test
  void writesOfUsersAndOfTheTermPass() {
    Sandbox later =
        READY.in(Phase.ERROR, "gateway-3 under 8").in(Phase.DELETING, "gateway-1").labelled("l");
    assertThatCode(() -> ARCHIVE.compareWith(Map.of("x", later))).doesNotThrowAnyException();
    assertThatCode(() -> ARCHIVE.compareWith(Map.of())).doesNotThrowAnyException();
  }
}
