package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.LeaseChange;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeHubTest {
  private final ChangeHub<LeaseChange> hub = new ChangeHub<>("abc", 3);

  private void change(int number) {
    hub.changed(
        new LeaseChange(
            LeaseChange.Kind.GRANTED, new LeaseKey("lock/" + number), Token.of(1, number)));
  }

  private static List<ChangeHub.Event<LeaseChange>> following(ChangeHub.Next<LeaseChange> next) {
    return switch (next) {
      case ChangeHub.Following<LeaseChange>(var events) -> events;
      default -> throw new AssertionError("nothing follows: " + next);
    };
  }

  @Test
  void aSlowReaderFindsThatWhatFollowsIsGoneAndNothingPilesUp() throws InterruptedException {
    long from = hub.last();
    for (int i = 1; i <= 3; i++) {
      change(i);
    }
    assertThat(following(hub.after(from, 0))).hasSize(3);
    change(4);
    assertThat(hub.after(from, 0)).isInstanceOf(ChangeHub.Forgotten.class);
    assertThat(hub.after(from + 1, 0)).isInstanceOf(ChangeHub.Following.class);
  }

  @Test
  void aReaderComesBackOnlyToWhatIsKnown() {
    for (int i = 1; i <= 5; i++) {
      change(i);
    }
    assertThat(hub.resume("abc-2")).contains(2L);
    assertThat(hub.resume("abc-5")).contains(5L);
    assertThat(hub.resume("abc-1")).isEmpty();
    assertThat(hub.resume("abc-6")).isEmpty();
    assertThat(hub.resume("abd-5")).isEmpty();
    assertThat(hub.resume("nonsense")).isEmpty();
    assertThat(hub.resume("abc-99999999999999999999")).isEmpty();
  }

  @Test
  void nothingIsNothingAndTheEndIsTheEnd() throws InterruptedException {
    assertThat(following(hub.after(hub.last(), 1))).isEmpty();
    hub.close();
    assertThat(hub.after(hub.last(), 60_000)).isInstanceOf(ChangeHub.Over.class);
  }
}
