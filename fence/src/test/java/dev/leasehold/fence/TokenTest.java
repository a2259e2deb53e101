package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTest {
  private static final long MAX_VALUE = 9_007_199_254_740_991L;

  @Test
  void aTokenIsTheIncarnationFollowedByFortyBitsOfCounter() {
    Token token = Token.of(580, 7);

    assertThat(token.value()).isEqualTo((580L << 40) + 7);
    assertThat(token.incarnation()).isEqualTo(580);
    assertThat(token.counter()).isEqualTo(7);
  }

  @Test
  void theHighestTokenHasBothPartsAtTheirBounds() {
    Token highest = Token.of(Token.MAX_INCARNATION, Token.MAX_COUNTER);

    assertThat(highest).isEqualTo(Token.HIGHEST);
    assertThat(highest.value()).isEqualTo(MAX_VALUE);
    assertThat(highest.incarnation()).isEqualTo(Token.MAX_INCARNATION).isEqualTo(8_191);
    assertThat(highest.counter()).isEqualTo(Token.MAX_COUNTER).isEqualTo((1L << 40) - 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, (1L << 40) - 1, 1L << 40, (1L << 52) + 1, MAX_VALUE - 1, MAX_VALUE})
  void aTokenIsExactInADoubleAndSoInJson(long value) {
    assertThat((long) (double) new Token(value).value()).isEqualTo(value);
    assertThat((double) value).isNotEqualTo((double) (value - 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, MAX_VALUE + 1, Long.MAX_VALUE})
  void aNumberOutOfRangeIsRefusedWithTheRange(long value) {
    assertThatThrownBy(() -> new Token(value))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("token " + value + " is out of range: it must be from 1 to 9007199254740991");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 8_192})
  void anIncarnationOutOfRangeIsRefusedWithTheRange(int incarnation) {
    assertThatThrownBy(() -> Token.of(incarnation, 1))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("incarnation " + incarnation + " is out of range: it must be from 0 to 8191");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1L << 40})
  void aCounterOutOfRangeIsRefusedWithTheRange(long counter) {
    assertThatThrownBy(() -> Token.of(1, counter))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("counter " + counter + " is out of range: it must be from 0 to 1099511627775");
  }

  @Test
  void theFloorOfTheZerothIncarnationIsNoToken() {
    assertThatThrownBy(() -> Token.of(0, 0)).isInstanceOf(IllFormedException.class);
    assertThat(Token.of(0, 1).value()).isEqualTo(1);
    assertThat(Token.of(1, 0).counter()).isZero();
  }

  @Test
  void theNextTokenIsOneHigherInTheSameIncarnation() {
    assertThat(Token.of(580, 7).next(580)).isEqualTo(Token.of(580, 8));
  }

  @Test
  void theCounterGoesOnCountingInAHigherIncarnation() {
    assertThat(Token.of(580, 7).next(581)).isEqualTo(Token.of(581, 8));
  }

  @Test
  void aStoreOfALowerIncarnationCannotTakeATokenBack() {
    assertThat(Token.of(580, 7).next(3)).isEqualTo(Token.of(580, 8));
  }

  @Test
  void theLastCounterOfAKeyIsReachedAndNotPassedInAnyIncarnation() {
    Token last = Token.of(580, Token.MAX_COUNTER - 1).next(580);

    assertThat(last.counter()).isEqualTo(Token.MAX_COUNTER);
    assertThatThrownBy(() -> last.next(581))
        .isInstanceOf(TokenExhaustedException.class)
        .hasMessage(
            "token "
                + last
                + " is the last of its key: its counter cannot grow further; use another key");
  }

  @Test
  void aHigherIncarnationOutranksEveryCounter() {
    Token old = Token.of(580, Token.MAX_COUNTER);
    Token restored = Token.of(581, 0);

    assertThat(restored.isAbove(old)).isTrue();
    assertThat(old.isBelow(restored)).isTrue();
    assertThat(old).isLessThan(restored);
  }

  @Test
  void aTokenIsNeitherAboveNorBelowItself() {
    Token token = Token.of(580, 7);

    assertThat(token.isAbove(token)).isFalse();
    assertThat(token.isBelow(token)).isFalse();
    assertThat(token).isEqualByComparingTo(new Token(token.value()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 637_716_744_110_087L, MAX_VALUE})
  void aTokenIsReadBackFromItsDecimalForm(long value) {
    assertThat(Token.parse(new Token(value).toString())).isEqualTo(new Token(value));
    assertThat(new Token(value)).hasToString(Long.toString(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "0",
        "-1",
        "+1",
        "01",
        "1 ",
        "1.0",
        "1e3",
        "0x1",
        "x",
        "\u0661",
        "7\n",
        "9223372036854775808",
        "10000000000000000"
      })
  void anyOtherTextIsRefusedWithoutRepeatingIt(String text) {
    assertThatThrownBy(() -> Token.parse(text))
        .isInstanceOf(IllFormedException.class)
        .hasMessage(
            "a token is a decimal integer from 1 to 9007199254740991, without sign or leading"
                + " zeros");
  }

  @Test
  void aNumberJustTooLargeIsRefusedWithTheRange() {
    assertThatThrownBy(() -> Token.parse("9007199254740992"))
        .isInstanceOf(IllFormedException.class)
        .hasMessage(
            "token 9007199254740992 is out of range: it must be from 1 to 9007199254740991");
  }
}
