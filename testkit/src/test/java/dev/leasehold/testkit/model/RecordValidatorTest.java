package dev.leasehold.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RecordValidatorTest {
  private static final LeaseKey KEY = new LeaseKey("lock/a");
  private static final long NOW = 1_000_000;
  private static final Standing RELEASED = new Standing.Ended(new LossReason.Released(), NOW);
  private static final Standing REVOKED =
      new Standing.Ended(new LossReason.Revoked("olga", "why"), NOW);

  private final RecordValidator validator = new RecordValidator(Limits.SINGLE_NODE);

  private static Grant grant(long counter, Standing standing) {
    return new Grant(
        Token.of(5, counter),
        Instance.of("0".repeat(32)).id(),
        new RequestId("r" + counter),
        Terms.of("ann", Duration.ofSeconds(10)),
        NOW,
        NOW,
        NOW + 10_000,
        Progress.startingAt(NOW),
        standing);
  }

  private static LeaseRecord record(Grant grant) {
    return LeaseRecord.blank(KEY, Token.of(5, 1)).withGrant(grant, NOW).withLast(grant.token());
  }

  private List<String> see(LeaseRecord record) {
    return validator.violations(KEY, Optional.of(record));
  }

  @Test
  void a_sound_life_has_nothing_against_it() {
    Grant first = grant(2, Standing.OPEN);
    assertThat(see(record(first))).isEmpty();
    assertThat(see(record(first.renewed(10_000, first.progress(), NOW)))).isEmpty();
    assertThat(see(record(first.withStanding(Standing.LAPSED)))).isEmpty();
    assertThat(see(record(first.withStanding(RELEASED)))).isEmpty();
    assertThat(see(record(grant(3, Standing.OPEN)))).isEmpty();
    assertThat(validator.violations(KEY, Optional.empty())).isEmpty();
    assertThat(see(record(grant(4, Standing.OPEN)))).isEmpty();
  }

  @Test
  void a_token_that_goes_back_is_seen_also_across_a_purge() {
    see(record(grant(7, RELEASED)));
    assertThat(see(record(grant(6, Standing.OPEN)))).anyMatch(v -> v.startsWith("I2"));
    validator.violations(KEY, Optional.empty());
    assertThat(see(record(grant(7, Standing.OPEN)))).anyMatch(v -> v.startsWith("I2"));
  }

  @Test
  void a_grant_that_comes_back_to_life_is_seen() {
    see(record(grant(7, RELEASED)));
    assertThat(see(record(grant(7, Standing.OPEN)))).anyMatch(v -> v.startsWith("I3"));
  }

  @Test
  void a_lapsed_grant_that_opens_again_is_seen() {
    see(record(grant(7, Standing.LAPSED)));
    assertThat(see(record(grant(7, Standing.OPEN)))).anyMatch(v -> v.startsWith("I3"));
  }

  @Test
  void a_revoked_grant_without_a_void_token_is_seen() {
    LeaseRecord revoked = record(grant(7, REVOKED));
    assertThat(see(revoked)).anyMatch(v -> v.contains("void token"));
    assertThat(see(revoked.withLast(Token.of(5, 8)))).isEmpty();
  }

  @Test
  void a_current_grant_of_a_closed_key_is_seen() {
    Closure closure = new Closure("why", OptionalLong.empty());
    assertThat(see(record(grant(7, Standing.OPEN)).withClosure(Optional.of(closure))))
        .anyMatch(v -> v.contains("closed key"));
  }

  @Test
  void a_renewal_that_cuts_short_is_seen() {
    Grant longer = grant(7, Standing.OPEN).renewed(60_000, Progress.startingAt(NOW), NOW);
    see(record(longer));
    assertThat(see(record(grant(7, Standing.OPEN)))).anyMatch(v -> v.contains("cut"));
  }

  @Test
  void time_that_goes_back_is_seen() {
    Grant grant = grant(7, Standing.OPEN);
    see(record(grant).writtenAt(NOW + 10));
    assertThat(see(record(grant))).anyMatch(v -> v.contains("time went back"));
  }
}
