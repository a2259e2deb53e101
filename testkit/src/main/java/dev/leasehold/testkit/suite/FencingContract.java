package dev.leasehold.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * I5: a command under a claim takes effect only while the claim's grant is current.
 *
 * @param <C> a command
 * @param <O> its outcome
 */
public abstract class FencingContract<U extends BlockUnderTest, C, O> extends FencedGroup<U> {
  private static final int ROUNDS = 8;
  private static final int MAX_ATTEMPTS = 1_000;

  /**
   * One command of each verb under this claim, each on the same row. They take effect in this
   * order, as often as they are sent.
   */
  protected abstract List<C> verbsUnder(Claim claim);

  protected abstract O send(C command);

  /** All that can be seen of the row. */
  protected abstract Object state();

  private void isDone(Claim claim) {
    verbsUnder(claim).forEach(this::isDone);
  }

  private void isDone(C command) {
    Object before = state();
    assertThat(send(command)).as("%s", command).isNotInstanceOf(BlockOutcome.class);
    assertThat(state()).as("after %s", command).isNotEqualTo(before);
  }

  /** The first verb only, so that the row is as that one leaves it. */
  private void isBegun(Claim claim) {
    isDone(verbsUnder(claim).getFirst());
  }

  private void isRefused(Claim claim, Admission.Refused why) {
    Object before = state();
    for (C command : verbsUnder(claim)) {
      assertThat(send(command))
          .as("%s", command)
          .isInstanceOfSatisfying(
              BlockOutcome.Refused.class, refused -> assertThat(refused.why()).isEqualTo(why));
      assertThat(state()).as("after %s", command).isEqualTo(before);
    }
  }

  @Test
  void a_current_grant_may_write_after_its_expiry_too() {
    Claim claim = acquired(KEY, ANN);
    isDone(claim);
    pass(TTL.multipliedBy(3));
    isDone(claim);
  }

  @Test
  void a_holder_that_was_followed_may_not() {
    Claim old = acquired(KEY, ANN);
    isBegun(old);
    Claim current = takenOver(KEY);
    isRefused(old, new Admission.Stale(current.token()));
    isDone(current);
    isRefused(old, new Admission.Stale(current.token()));
  }

  @Test
  void a_holder_that_has_released_its_lease_may_not() {
    Claim claim = acquired(KEY, ANN);
    release(claim, ANN);
    isRefused(claim, new Admission.Stale(claim.token()));
  }

  @Test
  void a_holder_that_was_revoked_may_not_nor_a_caller_that_brings_the_void_token() {
    Claim claim = acquired(KEY, ANN);
    Command revoke =
        new Command.Revoke(KEY, OLGA, new Explanation("stuck"), Command.Reopening.NOW, request());
    assertThat(lease(revoke)).isNotNull();
    Token last = above(claim).token();
    isRefused(claim, new Admission.Stale(last));
    isRefused(above(claim), new Admission.Stale(last));
  }

  @Test
  void no_holder_may_once_the_incarnation_has_advanced() {
    Claim claim = acquired(KEY, ANN);
    answer(leases().advance(Advance.above(7_000)));
    isRefused(claim, new Admission.Stale(claim.token()));
  }

  @Test
  void a_token_that_was_never_issued_is_refused_and_told_so() {
    Claim claim = acquired(KEY, ANN);
    isRefused(above(claim), new Admission.Unissued(Optional.of(claim.token())));
    isRefused(Claim.of(OTHER_KEY, Token.HIGHEST), new Admission.Unissued(Optional.empty()));
  }

  /** A store that has lost writes may have issued the number again. */
  @Test
  void a_token_of_another_instance_is_refused_as_one_that_was_never_issued() {
    Claim claim = acquired(KEY, ANN);
    Claim own = claim.ofInstance(ANN.id().text());
    Claim others = claim.ofInstance(BOB.id().text());
    Admission.Refused unissued = new Admission.Unissued(Optional.of(claim.token()));
    isBegun(own);
    isRefused(others, unissued);
    isDone(own);
    release(claim, ANN);
    isRefused(others, unissued);
    isRefused(claim, new Admission.Stale(claim.token()));
  }

  /** With the takeover in the midst of the old holder's commands. */
  @Test
  @Tag("concurrency")
  void once_a_successor_has_the_lease_no_command_of_the_old_holder_takes_effect() {
    for (int round = 0; round < ROUNDS; round++) {
      Claim old = acquired(KEY, ANN);
      pass(TTL.plusMillis(1));
      AtomicBoolean stop = new AtomicBoolean();
      Callable<Object> writer =
          () -> {
            while (!stop.get()) {
              O unused = send(verbsUnder(old).getFirst());
            }
            return state();
          };
      Callable<Object> successor =
          () -> {
            try {
              Claim next = acquiredInTheEnd();
              Object seen = state();
              release(next, BOB);
              return seen;
            } finally {
              stop.set(true);
            }
          };
      List<Object> states = Rounds.together(List.of(writer, successor));
      assertThat(states.getFirst()).isEqualTo(states.getLast());
    }
  }

  /** A command under the lease may delay a takeover for a moment. */
  private Claim acquiredInTheEnd() {
    Outcome outcome = acquire(KEY, BOB);
    for (int i = 1; i < MAX_ATTEMPTS && !(outcome instanceof Outcome.Granted); i++) {
      outcome = acquire(KEY, BOB);
    }
    return claim(KEY, outcome);
  }
}
