package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseKeyTest {
  @Test
  void aKeyIsAKindAndAName() {
    LeaseKey key = LeaseKey.of("lock", "nightly-report");

    assertThat(key).isEqualTo(new LeaseKey("lock/nightly-report"));
    assertThat(key.kind()).isEqualTo("lock");
    assertThat(key.name()).isEqualTo("nightly-report");
    assertThat(key).hasToString("lock/nightly-report");
  }

  @Test
  void theNameMayHaveFurtherSlashes() {
    LeaseKey key = new LeaseKey("shard/orders//7/");

    assertThat(key.kind()).isEqualTo("shard");
    assertThat(key.name()).isEqualTo("orders//7/");
    assertThat(LeaseKey.of(key.kind(), key.name())).isEqualTo(key);
  }

  @Test
  void theKindMayHaveNone() {
    assertThatThrownBy(() -> LeaseKey.of("a/b", "c"))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("kind 'a/b' has a slash: only the name may have one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "/", "lock", "/name", "kind/", "//"})
  void aKeyWithoutKindOrNameIsRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> new LeaseKey(text))
        .isInstanceOf(IllFormedException.class)
        .hasMessage(
            "key '" + text + "' is not of the form kind/name, for example lock/nightly-report");
  }

  @Test
  void theShortestKeyHasThreeCharactersAndTheLongest255() {
    assertThat(new LeaseKey("a/b").name()).isEqualTo("b");
    assertThat(LeaseKey.of("k", "n".repeat(253)).text()).hasSize(255);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 256, 1_000_000})
  void aKeyOfAnotherLengthIsRefusedWithTheBound(int length) {
    assertThatThrownBy(() -> new LeaseKey("/".repeat(length)))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("key of " + length + " characters: a key has 1 to 255, written kind/name");
  }

  @Test
  void everyVisibleAsciiCharacterIsAllowed() {
    for (char c = '!'; c <= '~'; c++) {
      assertThat(LeaseKey.of("lock", "a" + c).name()).isEqualTo("a" + c);
    }
  }

  @ParameterizedTest
  @ValueSource(chars = {' ', '\t', '\n', '\0', '\u007f', '\u0080', '\u00e9', '\u2028', '\ud800'})
  void anyOtherCharacterIsRefusedWithItsPlace(char c) {
    assertThatThrownBy(() -> LeaseKey.of("lock", "a" + c))
        .isInstanceOf(IllFormedException.class)
        .hasMessage(
            "key has character U+%04X at position 6: only visible ASCII without spaces is allowed",
            (int) c);
  }

  @Test
  void aKindThatIsNoAsciiIsNotRepeatedInTheMessage() {
    assertThatThrownBy(() -> LeaseKey.of("a/\n", "c")).hasMessageNotContaining("\n");
  }

  @Test
  void keysAreOrderedByTheirBytes() {
    assertThat(new LeaseKey("a/Z")).isLessThan(new LeaseKey("a/a"));
    assertThat(new LeaseKey("a-/z")).isLessThan(new LeaseKey("a/a"));
    assertThat(new LeaseKey("a/a")).isLessThan(new LeaseKey("a/aa"));
    assertThat(new LeaseKey("a/a")).isEqualByComparingTo(new LeaseKey("a/a"));
  }
}
