package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryFenceTest {
  private static final LeaseKey KEY = LeaseKey.of("lock", "a");
  private static final LeaseKey OTHER_KEY = LeaseKey.of("lock", "b");

  private final RefusalTrail trail =
      new RefusalTrail(InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")));
  private final MemoryFence fence = new MemoryFence("orders", trail);

  private static Claim claim(long token) {
    return Claim.of(KEY, new Token(token));
  }

  private static Admission staleBelow(long current) {
    return new Admission.Stale(new Token(current));
  }

  @Test
  void anyFirstTokenOfAKeyIsAdmitted() {
    assertThat(fence.admit(claim(7))).isEqualTo(Admission.ADMITTED);
    assertThat(fence.admit(Claim.of(OTHER_KEY, new Token(1)))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void theSameTokenIsAdmittedAgain() {
    fence.admit(claim(7));

    assertThat(fence.admit(claim(7))).isEqualTo(Admission.ADMITTED);
    assertThat(fence.seal(claim(7))).isEqualTo(Admission.ADMITTED);
    assertThat(fence.change(claim(7), () -> {})).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void admittingAHigherTokenRefusesTheLowerFromThenOn() {
    fence.admit(claim(7));
    fence.admit(claim(8));

    assertThat(fence.admit(claim(7))).isEqualTo(staleBelow(8));
    assertThat(fence.seal(claim(7))).isEqualTo(staleBelow(8));
    assertThat(fence.change(claim(7), () -> {})).isEqualTo(staleBelow(8));
  }

  @Test
  void sealingWithAHigherTokenRefusesTheLowerFromThenOn() {
    fence.admit(claim(7));

    assertThat(fence.seal(claim(9))).isEqualTo(Admission.ADMITTED);
    assertThat(fence.admit(claim(8))).isEqualTo(staleBelow(9));
  }

  @Test
  void aKeyCanBeSealedBeforeAnyClaimWasAdmitted() {
    fence.seal(claim(9));

    assertThat(fence.admit(claim(8))).isEqualTo(staleBelow(9));
    assertThat(fence.admit(claim(9))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void aChangeWithAHigherTokenRefusesTheLowerFromThenOn() {
    fence.change(claim(9), () -> {});

    assertThat(fence.admit(claim(8))).isEqualTo(staleBelow(9));
  }

  @Test
  void aRefusedTokenLeavesTheMarkWhereItWas() {
    fence.admit(claim(9));
    fence.admit(claim(1));
    fence.seal(claim(2));
    fence.change(claim(3), () -> {});

    assertThat(fence.admit(claim(8))).isEqualTo(staleBelow(9));
    assertThat(fence.admit(claim(9))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void keysHaveMarksOfTheirOwn() {
    fence.seal(claim(9));

    assertThat(fence.admit(Claim.of(OTHER_KEY, new Token(8)))).isEqualTo(Admission.ADMITTED);
    assertThat(fence.admit(claim(8))).isEqualTo(staleBelow(9));
  }

  @Test
  void aHigherIncarnationIsAHigherToken() {
    fence.admit(Claim.of(KEY, Token.of(580, Token.MAX_COUNTER)));

    assertThat(fence.admit(Claim.of(KEY, Token.of(581, 1)))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void theHighestTokenOfAllIsAdmitted() {
    assertThat(fence.seal(Claim.of(KEY, Token.HIGHEST))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void anAdmittedChangeIsMadeOnceAndARefusedOneNever() {
    List<String> target = new ArrayList<>();
    fence.change(claim(7), () -> target.add("new"));
    fence.change(claim(6), () -> target.add("old"));

    assertThat(target).containsExactly("new");
  }

  @Test
  void aChangeGivesItsResult() {
    assertThat(fence.changeAndGet(claim(7), () -> "done")).isEqualTo(new Changed.Made<>("done"));
    assertThat(fence.changeAndGet(claim(6), () -> "done"))
        .isEqualTo(new Changed.NotMade<>(new Admission.Stale(new Token(7))));
  }

  @Test
  void aChangeThatFailsHasRaisedTheMarkAndLetsTheNextOneIn() {
    fence.admit(claim(6));
    assertThatThrownBy(
            () ->
                fence.changeAndGet(
                    claim(7),
                    () -> {
                      throw new IOException("disk full");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("disk full");

    assertThat(fence.admit(claim(6))).isEqualTo(staleBelow(7));
    assertThat(fence.change(claim(8), () -> {})).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void aChangeMayChangeMoreUnderItsOwnToken() {
    List<Admission> inner = new ArrayList<>();
    fence.change(
        claim(7),
        () -> {
          inner.add(fence.admit(claim(7)));
          inner.add(fence.change(claim(7), () -> {}));
          inner.add(fence.change(claim(6), () -> {}));
        });

    assertThat(inner).containsExactly(Admission.ADMITTED, Admission.ADMITTED, staleBelow(7));
  }

  /** If it were admitted, the surrounding change would take effect after a higher token. */
  @Test
  void aChangeCannotRaiseTheMarkAboveItself() {
    List<Runnable> attempts =
        List.of(
            () -> fence.seal(claim(8)),
            () -> fence.admit(claim(8)),
            () -> fence.change(claim(8), () -> {}));
    for (Runnable attempt : attempts) {
      assertThatThrownBy(() -> fence.change(claim(7), attempt))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("token 8 came from inside a change with a lower token of the same key");
    }
    assertThat(fence.admit(claim(7))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void everyRefusalIsOnTheTrailAndNoAdmissionIs() {
    fence.seal(claim(9));
    fence.admit(claim(9));
    fence.admit(claim(1).by("by admit"));
    fence.seal(claim(2).by("by seal"));
    fence.change(claim(3).by("by change"), () -> {});

    assertThat(trail.total()).isEqualTo(3);
    assertThat(trail.newestFirst())
        .extracting(Refusal::who)
        .containsExactly("by change", "by seal", "by admit");
    assertThat(trail.newestFirst())
        .allSatisfy(
            refusal -> {
              assertThat(refusal.target()).isEqualTo("orders");
              assertThat(refusal.key()).isEqualTo(KEY);
              assertThat(refusal.current()).contains(new Token(9));
            });
  }

  @Test
  void itSaysOfItselfThatItLastsOneProcess() {
    assertThat(fence.target()).isEqualTo("orders");
    assertThat(fence.guarantee().holdsFor(Guarantee.Durability.PROCESS)).isTrue();
    assertThat(fence.guarantee().holdsFor(Guarantee.Durability.DURABLE)).isFalse();
  }

  @Test
  void aKeyBeyondTheBoundIsRefusedAndTheOthersGoOn() {
    MemoryFence small = new MemoryFence("orders", trail, IssuedTokens.unseen(), 1);
    small.admit(claim(7));

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> small.seal(Claim.of(OTHER_KEY, new Token(1))))
          .isInstanceOf(FenceFullException.class)
          .hasMessageStartingWith(
              "the fence of 'orders' has the marks of 1 keys and no room for another");
    }
    assertThat(small.admit(claim(6))).isEqualTo(staleBelow(7));
    assertThat(small.admit(claim(8))).isEqualTo(Admission.ADMITTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two\nlines"})
  void aTargetHasANameOfOneLine(String name) {
    assertThatThrownBy(() -> new MemoryFence(name, trail))
        .isInstanceOf(IllFormedException.class)
        .hasMessageStartingWith("target has ");
  }

  @Test
  void aFenceWithoutRoomIsRefused() {
    assertThatThrownBy(() -> new MemoryFence("orders", trail, IssuedTokens.unseen(), 0))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("a fence has room for at least 1 key, not 0");
  }
}
