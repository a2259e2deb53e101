package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryFenceIssuerTest {
  private static final LeaseKey KEY = LeaseKey.of("lock", "a");
  private static final LeaseKey NEVER_LEASED = LeaseKey.of("lock", "never");

  private final Map<LeaseKey, Token> highest = new HashMap<>(Map.of(KEY, new Token(5)));
  private final Set<Token> voided = new HashSet<>();
  private final List<LeaseKey> questions = new ArrayList<>();
  private final RefusalTrail trail = new RefusalTrail(InstantSource.fixed(Instant.EPOCH));
  private final MemoryFence fence = new MemoryFence("orders", trail, this::issueOf);

  private IssuedTokens.Issue issueOf(LeaseKey key, Token token) {
    questions.add(key);
    Optional<Token> known = Optional.ofNullable(highest.get(key));
    if (known.isEmpty() || token.isAbove(known.get())) {
      return new IssuedTokens.Never(known);
    }
    return voided.contains(token) ? new IssuedTokens.Voided() : new IssuedTokens.Granted();
  }

  private static Claim claim(long token) {
    return Claim.of(KEY, new Token(token));
  }

  private static Admission.Refused unissuedAbove(long token) {
    return new Admission.Unissued(Optional.of(new Token(token)));
  }

  @Test
  void aTokenAboveWhatWasIssuedIsRefusedByEveryVerb() {
    List<String> target = new ArrayList<>();

    assertThat(fence.admit(claim(6))).isEqualTo(unissuedAbove(5));
    assertThat(fence.seal(claim(6))).isEqualTo(unissuedAbove(5));
    assertThat(fence.change(claim(6), () -> target.add("x"))).isEqualTo(unissuedAbove(5));
    assertThat(fence.changeAndGet(claim(6), () -> target.add("x")))
        .isEqualTo(new Changed.NotMade<>(unissuedAbove(5)));
    assertThat(target).isEmpty();
    assertThat(trail.total()).isEqualTo(4);
    assertThat(trail.newestFirst().getFirst().current()).contains(new Token(5));
  }

  @Test
  void anUnissuedTokenLeavesTheMarkAlone() {
    fence.admit(claim(4));
    fence.seal(claim(6));

    assertThat(fence.admit(claim(4))).isEqualTo(Admission.ADMITTED);
    assertThat(fence.admit(claim(5))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void theHighestIssuedTokenIsAdmitted() {
    assertThat(fence.admit(claim(5))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void aKeyThatWasNeverLeasedAdmitsNothing() {
    Claim invented = Claim.of(NEVER_LEASED, new Token(1));

    assertThat(fence.admit(invented)).isEqualTo(new Admission.Unissued(Optional.empty()));
  }

  @Test
  void inventedKeysTakeNoRoom() {
    MemoryFence small = new MemoryFence("orders", trail, this::issueOf, 1);
    small.admit(Claim.of(NEVER_LEASED, new Token(1)));

    assertThat(small.admit(claim(5))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void aTokenIssuedMeanwhileIsAdmitted() {
    fence.admit(claim(6));
    highest.put(KEY, new Token(6));

    assertThat(fence.admit(claim(6))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void aVoidTokenAdmitsNothingButSealsAgainstAllBelowItAndItself() {
    voided.add(new Token(5));
    List<String> target = new ArrayList<>();

    assertThat(fence.admit(claim(5))).isEqualTo(unissuedAbove(5));
    assertThat(fence.change(claim(5), () -> target.add("x"))).isEqualTo(unissuedAbove(5));
    assertThat(fence.admit(claim(4))).isEqualTo(Admission.ADMITTED);
    assertThat(fence.seal(claim(5))).isEqualTo(Admission.ADMITTED);
    assertThat(fence.admit(claim(4))).isEqualTo(new Admission.Stale(new Token(5)));
    assertThat(fence.change(claim(5), () -> target.add("x")))
        .isEqualTo(new Admission.Stale(new Token(5)));
    assertThat(fence.seal(claim(5))).isEqualTo(Admission.ADMITTED);
    assertThat(target).isEmpty();
    highest.put(KEY, new Token(6));
    assertThat(fence.admit(claim(6))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void theIssuerIsAskedOnlyWhenTheMarkWouldRise() {
    fence.admit(claim(4));
    questions.clear();

    fence.admit(claim(4));
    fence.change(claim(4), () -> {});
    fence.seal(claim(3));
    fence.change(claim(3), () -> {});

    assertThat(questions).isEmpty();
  }

  /** An issuer that lost writes does not lower the mark. */
  @Test
  void aTokenBelowTheMarkIsStaleEvenIfItsIssuerHasForgotten() {
    fence.seal(claim(5));
    highest.put(KEY, new Token(2));

    assertThat(fence.admit(claim(3))).isEqualTo(new Admission.Stale(new Token(5)));
    assertThat(fence.admit(claim(5))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void anIssuerThatCannotBeAskedLeavesTheMarkAlone() {
    IssuedTokens broken =
        (key, token) -> {
          throw new IllegalStateException("unreachable");
        };
    MemoryFence blind = new MemoryFence("orders", trail, broken);

    assertThatThrownBy(() -> blind.seal(claim(5))).hasMessage("unreachable");
    assertThat(trail.total()).isZero();
  }

  @Test
  void aFenceThatCannotSeeTheIssuerTakesEveryTokenAsIssued() {
    assertThat(IssuedTokens.unseen().issueOf(NEVER_LEASED, Token.HIGHEST))
        .isEqualTo(new IssuedTokens.Granted());
  }
}
