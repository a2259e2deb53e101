package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CommandEventsTest {
  private static final Instance INSTANCE = Instance.random();
  private static final Outcome FAILED = new Outcome.Failed(Certainty.UNKNOWN, "away");
  private static final Outcome RENEWED = new Outcome.Renewed(1_000);

  private final CommandEvents events = new CommandEvents();

  private static Command renewal(int key, int token) {
    return new Command.Renew(
        new LeaseKey("lock/" + key), Token.of(1, token), INSTANCE, OptionalLong.empty(), 0);
  }

  @Test
  void aRenewalIsLateOnceAfterThoseThatFailed() {
    assertThat(events.of(renewal(1, 1), FAILED)).isEmpty();
    assertThat(events.of(renewal(1, 1), FAILED)).isEmpty();
    assertThat(events.of(renewal(1, 1), RENEWED))
        .contains(new LeaseEvent.RenewedLate(new LeaseKey("lock/1"), Token.of(1, 1), 2));
    assertThat(events.of(renewal(1, 1), RENEWED)).isEmpty();
  }

  @Test
  void failuresOfAnEarlierGrantDoNotCount() {
    assertThat(events.of(renewal(1, 1), FAILED)).isEmpty();
    assertThat(events.of(renewal(1, 2), RENEWED)).isEmpty();
    assertThat(events.of(renewal(1, 1), FAILED)).isEmpty();
    LossReason expired = new LossReason.Expired();
    assertThat(events.of(renewal(1, 1), new Outcome.Lost(expired)))
        .contains(new LeaseEvent.Lost(new LeaseKey("lock/1"), Token.of(1, 1), expired));
    assertThat(events.of(renewal(1, 1), RENEWED)).isEmpty();
  }

  @Test
  void theEarliestFailuresAreForgottenFirst() {
    for (int key = 0; key <= CommandEvents.KEPT; key++) {
      assertThat(events.of(renewal(key, 1), FAILED)).isEmpty();
    }
    assertThat(events.of(renewal(0, 1), RENEWED)).isEmpty();
    assertThat(events.of(renewal(1, 1), RENEWED)).isPresent();
  }
}
