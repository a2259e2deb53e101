package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.remote.wire.Changes;
import dev.leasehold.testkit.time.ManualTicker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The output of one reader of a hub. */
@Timeout(60)
class EventStreamTest {
  private final ManualTicker ticker = new ManualTicker();
  private final ChangeHub<LeaseChange> hub = new ChangeHub<>("abc", 100);
  private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

  /** Wants changes below "lock/mine", and lists two leases of a store that may fail. */
  private final class Reader extends EventStream<LeaseChange> {
    private final boolean fails;

    Reader(boolean fails) {
      super(
          hub,
          bytes -> sent.add(new String(bytes, StandardCharsets.US_ASCII)),
          Changes.OF_LEASES,
          ticker);
      this.fails = fails;
    }

    @Override
    boolean isWanted(LeaseChange change) {
      return change.key().text().startsWith("lock/mine");
    }

    @Override
    void list() throws IOException {
      ByteArrayOutputStream page = new ByteArrayOutputStream();
      writeListed(page, change("lock/mine-1"));
      send(page);
      if (fails) {
        throw new IOException("the store is away");
      }
    }
  }

  private static String data(String key) {
    return "{\"key\":\"" + key + "\",\"token\":" + Token.of(1, 1).value() + "}";
  }

  private static LeaseChange change(String key) {
    return new LeaseChange(LeaseChange.Kind.GRANTED, new LeaseKey(key), Token.of(1, 1));
  }

  @Test
  void whereOnlyOthersHearSomethingThisOneHearsThatItIsStillHeard() throws Exception {
    Thread stream =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    new Reader(false).run(Optional.empty());
                  } catch (IOException | InterruptedException e) {
                    sent.add(e.toString());
                  }
                });
    assertThat(sent.take()).isEqualTo(": watching\n\n");
    ticker.advance(Duration.ofSeconds(11));
    hub.changed(change("lock/other"));
    assertThat(sent.take()).isEqualTo(": still here\n\n");
    hub.changed(change("lock/other"));
    hub.changed(change("lock/mine-2"));
    assertThat(sent.take())
        .isEqualTo("event: granted\nid: abc-3\ndata: " + data("lock/mine-2") + "\n\n");
    hub.close();
    stream.join();
    assertThat(sent).isEmpty();
  }

  @Test
  void aClientThatIsCutOffInTheListHasNoPlaceToComeBackTo() {
    assertThatThrownBy(() -> new Reader(true).run(Optional.of("another-7")))
        .isInstanceOf(IOException.class);
    assertThat(sent)
        .containsExactly(
            ": watching\n\n",
            "event: reset\ndata: {}\n\n",
            "event: granted\ndata: " + data("lock/mine-1") + "\n\n");
  }

  @Test
  void afterTheWholeListThereIsOne() throws Exception {
    hub.changed(change("lock/before"));
    hub.close();
    new Reader(false).run(Optional.of("another-7"));
    assertThat(sent).endsWith("id: abc-1\n\n");
  }
}
