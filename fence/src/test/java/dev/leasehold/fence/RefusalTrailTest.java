package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RefusalTrailTest {
  private static final LeaseKey KEY = LeaseKey.of("lock", "a");
  private static final Admission.Stale STALE = new Admission.Stale(new Token(9));

  private final AtomicReference<Instant> clock =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

  private static Claim claim(long token) {
    return Claim.of(KEY, new Token(token));
  }

  @Test
  void aRefusalSaysWhereWhatWhoWhyAndWhen() {
    RefusalTrail trail = new RefusalTrail(clock::get);

    trail.add("orders", claim(3).by("worker 1"), STALE);

    assertThat(trail.newestFirst())
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.target()).isEqualTo("orders");
              assertThat(refusal.key()).isEqualTo(KEY);
              assertThat(refusal.brought()).isEqualTo(new Token(3));
              assertThat(refusal.current()).contains(new Token(9));
              assertThat(refusal.who()).isEqualTo("worker 1");
              assertThat(refusal.answer()).isEqualTo(STALE);
              assertThat(refusal.at()).isEqualTo("2026-01-01T00:00:00Z");
            });
  }

  @Test
  void aTokenOfAKeyWithoutAnyHasNothingItWasMeasuredAgainst() {
    RefusalTrail trail = new RefusalTrail(clock::get);

    trail.add("orders", claim(3), new Admission.Unissued(Optional.empty()));

    assertThat(trail.newestFirst().getFirst().current()).isEmpty();
  }

  @Test
  void theNewestComesFirstWithItsOwnTime() {
    RefusalTrail trail = new RefusalTrail(clock::get);

    trail.add("orders", claim(1), STALE);
    clock.updateAndGet(now -> now.plusSeconds(5));
    trail.add("orders", claim(2), STALE);

    assertThat(trail.newestFirst())
        .extracting(Refusal::brought)
        .containsExactly(new Token(2), new Token(1));
    assertThat(trail.newestFirst())
        .extracting(Refusal::at)
        .containsExactly(
            Instant.parse("2026-01-01T00:00:05Z"), Instant.parse("2026-01-01T00:00:00Z"));
  }

  @Test
  void theOldestMakeRoomAndAreStillCounted() {
    RefusalTrail trail = new RefusalTrail(clock::get, 2);

    LongStream.rangeClosed(1, 5).forEach(token -> trail.add("orders", claim(token), STALE));

    assertThat(trail.newestFirst())
        .extracting(Refusal::brought)
        .containsExactly(new Token(5), new Token(4));
    assertThat(trail.total()).isEqualTo(5);
  }

  @Test
  void aTrailKeepsAThousandUnlessToldOtherwise() {
    RefusalTrail trail = new RefusalTrail(clock::get);

    LongStream.rangeClosed(1, 1_001).forEach(token -> trail.add("orders", claim(token), STALE));

    assertThat(trail.newestFirst()).hasSize(1_000);
    assertThat(trail.newestFirst().getLast().brought()).isEqualTo(new Token(2));
  }

  @Test
  void aTrailWithoutRoomIsRefused() {
    assertThatThrownBy(() -> new RefusalTrail(clock::get, 0))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("a trail keeps at least 1 refusal, not 0");
  }

  @Test
  void aListingStaysWhatItWas() {
    RefusalTrail trail = new RefusalTrail(clock::get);
    trail.add("orders", claim(1), STALE);
    var listed = trail.newestFirst();

    trail.add("orders", claim(2), STALE);

    assertThat(listed).hasSize(1);
  }

  @Test
  void refusalsFromManyThreadsAreAllCounted() {
    RefusalTrail trail = new RefusalTrail(clock::get, 10);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int thread = 0; thread < 4; thread++) {
        threads.execute(
            () -> LongStream.rangeClosed(1, 5_000).forEach(t -> trail.add("x", claim(t), STALE)));
      }
    }
    assertThat(trail.total()).isEqualTo(20_000);
    assertThat(trail.newestFirst()).hasSize(10);
  }
}
