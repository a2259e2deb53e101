package dev.leasehold.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.random.Seed;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each store that is wrong only when things happen at once, or in two processes, is caught. */
@Timeout(600)
class RacingStoresTest {
  /** Runs one race on a store; the suite itself is no test class, since it is meant to fail. */
  private static void race(
      Function<RuledStore.Rows, LeaseStore> handle, Consumer<RacesContract> test) {
    RacesContract suite =
        new RacesContract() {
          @Override
          protected StoreUnderTest open(long startMillis) {
            return Handles.of(startMillis, handle);
          }
        };
    suite.openStore();
    try {
      test.accept(suite);
    } finally {
      suite.closeStore();
    }
  }

  /**
   * How threads are scheduled is not promised, so a race is run until it ends badly; a store that
   * loses none of them runs into the limit of the class.
   */
  private static AbstractThrowableAssert<?, ? extends Throwable> assertCaught(
      Function<RuledStore.Rows, LeaseStore> handle, Consumer<RacesContract> test) {
    return assertThatThrownBy(
            () -> {
              while (true) {
                race(handle, test);
              }
            })
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aSoundStoreWithTwoHandlesPasses() {
    race(RuledStore::new, RacesContract::one_request_sent_twice_at_once_acts_once);
    race(RuledStore::new, RacesContract::an_acquire_that_meets_a_purge_keeps_its_token_for_good);
    race(RuledStore::new, RacesContract::an_abandon_that_meets_its_acquire_leaves_the_key_free);
    race(RuledStore::new, RacesContract::a_renewal_at_the_last_moment_wins_or_loses);
    race(RuledStore::new, RacesContract::after_an_advance_nothing_of_the_time_before_goes_on);
    race(RuledStore::new, RacesContract::batches_in_opposite_orders_are_all_answered);
  }

  @Test
  void aTakeoverThatComparesTokensOnlyOverwritesARenewal() {
    assertCaught(
            RacingStores.ComparesTokensOnly::new,
            RacesContract::a_renewal_at_the_last_moment_wins_or_loses)
        .hasMessageContaining("I1: token");
  }

  @Test
  void aRequestThatIsLookedUpBeforeTheLockActsTwice() {
    assertCaught(
        RacingStores.LooksUpBeforeItLocks::new,
        RacesContract::one_request_sent_twice_at_once_acts_once);
  }

  @Test
  void aPurgeByWhatWasSeenBeforeTheLockForgetsAGrant() {
    assertCaught(
        RacingStores.PurgesWhatItSaw::new,
        RacesContract::an_acquire_that_meets_a_purge_keeps_its_token_for_good);
  }

  /** A grant of the old incarnation is seen in the history, or in a record that it overwrote. */
  @Test
  void anIncarnationThatEachProcessKeepsIsUsedAfterTheAdvance() {
    assertCaught(
            RacingStores.KeepsTheIncarnation::new,
            RacesContract::after_an_advance_nothing_of_the_time_before_goes_on)
        .hasMessageMatching("(?s).*(the advance to |I3: ended, and changed).*");
  }

  @Test
  void requestsThatEachProcessRemembersForItselfActTwice() {
    assertCaught(
        RacingStores.RemembersByHandle::new,
        RacesContract::one_request_sent_twice_at_once_acts_once);
  }

  @Test
  void theDifferentialChangesTheHandleToo() {
    Seed seed = new Seed(11);
    assertThat(
            LeaseDifferential.firstDifference(
                start -> Handles.of(start, RuledStore::new), seed, 2_000))
        .isEmpty();
    assertThat(
            LeaseDifferential.firstDifference(
                start -> Handles.of(start, RacingStores.RemembersByHandle::new), seed, 2_000))
        .isPresent();
  }
}
