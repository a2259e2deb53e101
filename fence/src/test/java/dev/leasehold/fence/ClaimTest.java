package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimTest {
  private static final Claim CLAIM = Claim.of(LeaseKey.of("lock", "a"), new Token(1));

  @Test
  void aHolderThatIsNotNamedIsUnknown() {
    assertThat(CLAIM.who()).isEqualTo("unknown");
  }

  @ParameterizedTest
  @ValueSource(strings = {"w", "worker 7 in Zürich", "\ud83d\ude80"})
  void whoIsAnyOneLineOfText(String who) {
    assertThat(CLAIM.by(who)).isEqualTo(new Claim(CLAIM.key(), CLAIM.token(), who));
  }

  @Test
  void whoHasOneTo255Characters() {
    assertThat(CLAIM.by("w".repeat(255)).who()).hasSize(255);
    assertThatThrownBy(() -> CLAIM.by(""))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("who has 0 characters: it must have 1 to 255");
    assertThatThrownBy(() -> CLAIM.by("w".repeat(256)))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("who has 256 characters: it must have 1 to 255");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\nb",
        "a\rb",
        "a\u001bb",
        "a\u0085b",
        "a\u2028b",
        "a\u2029b",
        "a\ud83d",
        "a\ude80b"
      })
  void whatWouldBreakALineIsRefusedWithItsPlace(String who) {
    assertThatThrownBy(() -> CLAIM.by(who))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("who has a control character, line break or half a character at position 1");
  }

  @Test
  void theWholeTextIsLookedThroughAndPlacesCountInCharacters() {
    assertThatThrownBy(() -> CLAIM.by("\ud83d\ude80\n")).hasMessageEndingWith("at position 2");
  }
}
