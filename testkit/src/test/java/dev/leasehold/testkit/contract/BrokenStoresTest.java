package dev.leasehold.testkit.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A contract that no store could fail would be worth nothing. */
@Timeout(600)
class BrokenStoresTest {
  /** The suite for one broken store; not a test class, since it is meant to fail. */
  private static ConcurrentExclusionContract contract(Function<InstantSource, LeaseStore> factory) {
    return new ConcurrentExclusionContract() {
      @Override
      protected StoreUnderTest open(long startMillis) {
        return ClockedStore.of(startMillis, factory);
      }
    };
  }

  @Test
  void aStoreThatChecksAndThenActsLosesCounts() {
    ConcurrentExclusionContract suite = contract(UnlockedStore::new);
    assertThatThrownBy(() -> untilItFails(suite::withAStandingClockThereIsOneHolderAtATime))
        .isInstanceOf(AssertionError.class);
  }

  /** Seen in the history, or before that in a record that was overwritten by an older one. */
  @Test
  void aStoreThatChecksAndThenActsGivesOneTokenToTwoRequests() {
    ConcurrentExclusionContract suite = contract(UnlockedStore::new);
    assertThatThrownBy(
            () -> untilItFails(suite::theHistoryOfManyThreadsIsInOrderWhileTheClockMovesOn))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("(?s).*(was given to two requests|the record of lock/).*");
  }

  /**
   * How threads are scheduled is not promised, so a race is run until it ends badly; a store that
   * loses none runs into the limit of the class.
   */
  private static void untilItFails(Runnable suite) {
    while (true) {
      suite.run();
    }
  }

  @Test
  void aStoreThatGrantsATokenTwiceIsCaught() {
    ConcurrentExclusionContract suite = contract(Repeating::new);
    assertThatThrownBy(suite::theHistoryOfManyThreadsIsInOrderWhileTheClockMovesOn)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("was given to two requests");
  }

  @Test
  void aStoreThatForgetsItsRequestsIsCaught() {
    ConcurrentExclusionContract suite = contract(Forgetful::new);
    assertThatThrownBy(suite::theHistoryOfManyThreadsIsInOrderWhileTheClockMovesOn)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("I8: one request on lock/");
  }

  /** Every tenth grant is told with the token of the grant before it. */
  private static final class Repeating extends BrokenStore {
    private final AtomicInteger grants = new AtomicInteger();
    private final Map<LeaseKey, Token> before = new ConcurrentHashMap<>();

    Repeating(InstantSource clock) {
      super(clock);
    }

    @Override
    Outcome carryOut(Command command) {
      Outcome outcome = soundly(command);
      if (!(outcome instanceof Outcome.Granted granted)) {
        return outcome;
      }
      Token token = granted.grant().token();
      Token last = before.put(command.key(), token);
      boolean repeats = last != null && !last.equals(token) && grants.incrementAndGet() % 10 == 0;
      return repeats ? new Outcome.Granted(with(granted.grant(), last), 1_000) : outcome;
    }

    private static Grant with(Grant grant, Token token) {
      return new Grant(
          token,
          grant.instanceId(),
          grant.requestId(),
          grant.terms(),
          grant.grantedAtMillis(),
          grant.renewedAtMillis(),
          grant.expiresAtMillis(),
          grant.progress(),
          grant.standing());
    }
  }

  /** Takes every repeat for a new request. */
  private static final class Forgetful extends BrokenStore {
    Forgetful(InstantSource clock) {
      super(clock);
    }

    @Override
    Outcome carryOut(Command command) {
      return soundly(
          command instanceof Command.Acquire acquire
              ? Command.Acquire.of(
                  acquire.key(), acquire.instance(), RequestId.random(), acquire.terms())
              : command);
    }
  }
}
