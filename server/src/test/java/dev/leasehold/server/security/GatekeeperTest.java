package dev.leasehold.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Which callers are admitted, and how often the store is asked about them. */
class GatekeeperTest {
  private final ManualTicker ticker = new ManualTicker();
  private final List<String> looked = new ArrayList<>();
  private final MemoryApiKeys keys = new MemoryApiKeys();
  private final Gatekeeper gatekeeper = new Gatekeeper(new Counted(), true, ticker);
  private final ApiKey.Made made = made();

  private static ApiKey.Made made() {
    return ApiKey.make("ci", Set.of(Permission.HOLD), List.of("lock/"));
  }

  private final class Counted implements ApiKeys {
    @Override
    public CompletionStage<Optional<ApiKey>> find(String id) {
      looked.add(id);
      return keys.find(id);
    }

    @Override
    public CompletionStage<Void> add(ApiKey key) {
      return keys.add(key);
    }

    @Override
    public CompletionStage<List<ApiKey>> list() {
      return keys.list();
    }

    @Override
    public CompletionStage<Boolean> revoke(String id) {
      return keys.revoke(id);
    }
  }

  private boolean lets(String header) {
    return gatekeeper.admit(Optional.of(header)).toCompletableFuture().join()
        instanceof Gatekeeper.KnownCaller;
  }

  @Test
  void aKnownKeyIsLookedUpOnceAWhile() {
    keys.add(made.key()).toCompletableFuture().join();
    assertThat(lets("Bearer " + made.text())).isTrue();
    assertThat(lets("bearer  " + made.text() + " ")).isTrue();
    assertThat(looked).hasSize(1);
    ticker.advance(Gatekeeper.TRUSTED);
    assertThat(lets("Bearer " + made.text())).isTrue();
    assertThat(looked).hasSize(2);
  }

  @Test
  void aRevokedKeyIsTakenForAWhileAndNoLonger() {
    keys.add(made.key()).toCompletableFuture().join();
    assertThat(lets("Bearer " + made.text())).isTrue();
    keys.revoke(made.key().id()).toCompletableFuture().join();
    ticker.advance(Gatekeeper.TRUSTED.minus(Duration.ofNanos(1)));
    assertThat(lets("Bearer " + made.text())).isTrue();
    ticker.advance(Duration.ofNanos(1));
    assertThat(lets("Bearer " + made.text())).isFalse();
  }

  /** A caller that guesses secrets, or repeats the same key, causes no calls to the store. */
  @Test
  void guessesAreAnsweredWithoutTheStore() {
    keys.add(made.key()).toCompletableFuture().join();
    String stranger = made().text();
    for (int i = 0; i < 100; i++) {
      assertThat(lets("Bearer " + stranger)).isFalse();
      String guess =
          made.text().substring(0, made.text().length() - 64) + made().text().substring(20);
      assertThat(lets("Bearer " + guess)).isFalse();
    }
    assertThat(looked).hasSize(2);
    for (String nothing : List.of("", "Bearer", "Bearer ", "Basic abc", made.text(), "Bearer x")) {
      assertThat(lets(nothing)).as(nothing).isFalse();
    }
    assertThat(looked).hasSize(2);
  }
}
