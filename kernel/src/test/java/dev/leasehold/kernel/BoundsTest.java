package dev.leasehold.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every stored value has a limit, and the refusal names the limit that was exceeded. */
class BoundsTest {
  private static final HolderInfo INFO = HolderInfo.named("anna");

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllFormedException.class).hasMessage(message);
  }

  @Test
  void aHolderHas1To255Characters() {
    assertThat(HolderInfo.named("x".repeat(255)).holder()).hasSize(255);
    assertRefused(() -> HolderInfo.named(""), "holder has 0 characters: it must have 1 to 255");
    assertRefused(
        () -> HolderInfo.named("x".repeat(256)),
        "holder has 256 characters: it must have 1 to 255");
  }

  @Test
  void aPurposeAndARegionHaveUpTo64Characters() {
    assertThat(INFO.purpose()).isEmpty();
    assertThat(INFO.region()).isEmpty();
    assertThat(INFO.withPurpose("x".repeat(64)).purpose()).hasSize(64);
    assertThat(INFO.withRegion("x".repeat(64)).region()).hasSize(64);
    assertRefused(
        () -> INFO.withPurpose("x".repeat(65)), "purpose has 65 characters: it must have 0 to 64");
    assertRefused(
        () -> INFO.withRegion("x".repeat(65)), "region has 65 characters: it must have 0 to 64");
  }

  @Test
  void thereAreUpTo16Attributes() {
    HolderInfo info = INFO;
    for (int i = 0; i < 16; i++) {
      info = info.withAttribute("a" + i, "x");
    }
    HolderInfo full = info;

    assertThat(full.attributes()).hasSize(16);
    assertThat(full.withAttribute("a0", "y").attributes()).containsEntry("a0", "y").hasSize(16);
    assertRefused(() -> full.withAttribute("a16", "x"), "17 attributes: a lease has at most 16");
  }

  @Test
  void anAttributeHasAShortNameInVisibleAsciiAndAShortValue() {
    assertThat(INFO.withAttribute("x".repeat(64), "y".repeat(256)).attributes()).hasSize(1);
    assertRefused(
        () -> INFO.withAttribute("", "y"), "attribute name has 0 characters: it must have 1 to 64");
    assertRefused(
        () -> INFO.withAttribute("x".repeat(65), "y"),
        "attribute name has 65 characters: it must have 1 to 64");
    assertRefused(
        () -> INFO.withAttribute("a b", "y"),
        "attribute name has a character at position 1 that is not visible ASCII");
    assertRefused(
        () -> INFO.withAttribute("v", "y".repeat(257)),
        "attribute v has 257 characters: it must have 0 to 256");
    assertRefused(
        () -> INFO.withAttribute("v", "a\tb"),
        "attribute v has a control character, line break or half a character at position 1");
  }

  @Test
  void whatAHolderSaysCannotBeChangedAfterwards() {
    Map<String, String> attributes = new HashMap<>(Map.of("v", "1"));
    HolderInfo info = new HolderInfo("anna", "outbox", "eu", attributes);
    attributes.put("v", "2");

    assertThat(info.attributes()).containsExactly(Map.entry("v", "1"));
    assertThat(info.withPurpose("driver"))
        .isEqualTo(new HolderInfo("anna", "driver", "eu", Map.of("v", "1")));
    assertThat(info.withRegion("us"))
        .isEqualTo(new HolderInfo("anna", "outbox", "us", Map.of("v", "1")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Zoë", "日本", "😀 at night", "two words", "~"})
  void textForPeopleMayBeInAnyLanguage(String text) {
    assertThatCode(() -> new Operator(text)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab\n", "ab\u0000", "ab\u007f", "ab\u0085"})
  void textForPeopleIsOnOneLine(String text) {
    assertRefused(
        () -> new Operator(text),
        "operator has a control character, line break or half a character at position 2");
  }

  @Test
  void halfASurrogatePairIsRefusedWhereverItStands() {
    String torn = "operator has a control character, line break or half a character at position ";
    assertRefused(() -> new Operator("a\ud83d"), torn + 1);
    assertRefused(() -> new Operator("\ud83db"), torn + 0);
    assertRefused(() -> new Operator("a\ude00"), torn + 1);
    assertRefused(() -> new Operator("😀\ude00"), torn + 2);
    assertRefused(() -> new Operator("\ud83d\ud83d\ude00"), torn + 0);
  }

  @Test
  void anOperatorHasANameAndAnExplanationAText() {
    assertThat(new Operator("x".repeat(255)).name()).hasSize(255);
    assertThat(new Explanation("x".repeat(1_000)).text()).hasSize(1_000);
    assertRefused(() -> new Operator(""), "operator has 0 characters: it must have 1 to 255");
    assertRefused(
        () -> new Explanation(""), "explanation has 0 characters: it must have 1 to 1000");
    assertRefused(
        () -> new Explanation("x".repeat(1_001)),
        "explanation has 1001 characters: it must have 1 to 1000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a\u007f", "é"})
  void aRequestIdIsVisibleAscii(String text) {
    assertThatThrownBy(() -> new RequestId(text)).isInstanceOf(IllFormedException.class);
  }

  @Test
  void aRequestIdHas1To64Characters() {
    assertThat(new RequestId("!~".repeat(32))).hasToString("!~".repeat(32));
    assertThatThrownBy(() -> new RequestId("x".repeat(65))).isInstanceOf(IllFormedException.class);
    assertThat(RequestId.random()).isNotEqualTo(RequestId.random());
  }

  @Test
  void aStallLimitTooShortToCountIsRefusedAndNotSwitchedOff() {
    assertRefused(
        () -> StallLimit.of(Duration.ofNanos(500)),
        "stall limit of PT0.0000005S: it must be from 1 ms to 24 h");
    assertRefused(
        () -> StallLimit.of(Duration.ofDays(400_000_000)),
        "stall limit of PT9600000000H: it must be from 1 ms to 24 h");
  }

  @Test
  void aHolderWithABlankNameIsRefused() {
    assertRefused(
        () -> HolderInfo.named("   "), "holder is blank: people must be able to see who it is");
  }

  @Test
  void aStallLimitIsUpToADayOrNone() {
    assertThat(StallLimit.of(Duration.ofDays(1)).millis()).isEqualTo(86_400_000);
    assertThat(new StallLimit(0)).isEqualTo(StallLimit.NONE);
    String bounds = " ms: it must be from 1 ms to 24 h, or 0 for none";
    assertRefused(() -> new StallLimit(-1), "stall limit of -1" + bounds);
    assertRefused(() -> new StallLimit(86_400_001), "stall limit of 86400001" + bounds);
  }

  @Test
  void termsAreChangedOneAtATime() {
    Terms terms = Terms.of("anna", Duration.ofSeconds(30));

    assertThat(terms).isEqualTo(new Terms(INFO, 30_000, StallLimit.NONE));
    assertThat(terms.withTtlMillis(5)).isEqualTo(new Terms(INFO, 5, StallLimit.NONE));
    assertThat(terms.withInfo(HolderInfo.named("ben")))
        .isEqualTo(new Terms(HolderInfo.named("ben"), 30_000, StallLimit.NONE));
    assertThat(terms.withStallLimit(new StallLimit(7)))
        .isEqualTo(new Terms(INFO, 30_000, new StallLimit(7)));
  }
}
