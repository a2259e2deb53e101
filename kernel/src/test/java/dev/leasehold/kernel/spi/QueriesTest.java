package dev.leasehold.kernel.spi;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The bounds of what can be asked of a store. */
class QueriesTest {
  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllFormedException.class).hasMessage(message);
  }

  @Test
  void aPageHas1To1000Records() {
    assertThat(new ListQuery("", Optional.empty(), 1).limit()).isEqualTo(1);
    assertThat(ListQuery.all("lock/")).isEqualTo(new ListQuery("lock/", Optional.empty(), 1_000));
    assertRefused(
        () -> new ListQuery("", Optional.empty(), 0), "a page has 1 to 1000 records, not 0");
    assertRefused(
        () -> new ListQuery("", Optional.empty(), 1_001), "a page has 1 to 1000 records, not 1001");
  }

  @Test
  void theNextPageIsAskedForByTheLastKey() {
    ListQuery first = new ListQuery("lock/", Optional.empty(), 7);

    assertThat(first.from(KEY)).isEqualTo(new ListQuery("lock/", Optional.of(KEY), 7));
  }

  @Test
  void aPurgeHasATimeAndALimit() {
    assertThat(new PurgeQuery(0, 1).limit()).isEqualTo(1);
    assertRefused(
        () -> new PurgeQuery(-1, 1),
        "purge needs a time of 0 ms or more and a limit of 1 or more, not -1 ms and 1");
    assertRefused(
        () -> new PurgeQuery(0, 0),
        "purge needs a time of 0 ms or more and a limit of 1 or more, not 0 ms and 0");
    assertRefused(() -> new Command.Purge(KEY, -1), "a key cannot be dead for -1 ms");
  }

  @Test
  void anAdvanceNamesIncarnationsAndNotTokens() {
    assertThat(Advance.above(8_191).above()).hasValue(8_191);
    assertRefused(
        () -> Advance.above(8_192), "above is an incarnation, from 0 to 8191, not a token");
    assertRefused(() -> Advance.above(-1), "above is an incarnation, from 0 to 8191, not a token");
    assertRefused(
        () -> new Advance(OptionalInt.empty(), OptionalInt.of(8_192), OptionalLong.empty()),
        "witness is an incarnation, from 0 to 8191, not a token");
  }

  @Test
  void aHoldOffIsAsLongAsATtlCanBe() {
    OptionalInt none = OptionalInt.empty();

    assertThat(new Advance(none, none, OptionalLong.of(0)).holdOffMillis()).hasValue(0);
    assertThat(new Advance(none, none, OptionalLong.of(86_400_000)).holdOffMillis())
        .hasValue(86_400_000);
    String bounds = "a hold-off is from 0 ms to 24 h, as long as a ttl can be";
    assertRefused(() -> new Advance(none, none, OptionalLong.of(-1)), bounds);
    assertRefused(() -> new Advance(none, none, OptionalLong.of(86_400_001)), bounds);
  }

  @Test
  void aProgressMarkStartsAt0() {
    Token token = Token.of(1, 1);

    assertThat(ANNA.renewAt(token, 0).progress()).isZero();
    assertRefused(() -> ANNA.renewAt(token, -1), "progress -1 is negative: marks start at 0");
  }

  @Test
  void aGrantCannotBeHandedOverToItsOwnHolder() {
    assertRefused(
        () -> ANNA.hands(Token.of(1, 1), "r1").to(ANNA),
        "a grant cannot be handed over to its own holder");
  }

  @Test
  void anHeirsNameIsBoundedAsEveryHoldersIs() {
    assertRefused(
        () -> new Command.Heir("", ANNA.id()), "holder has 0 characters: it must have 1 to 255");
  }
}
