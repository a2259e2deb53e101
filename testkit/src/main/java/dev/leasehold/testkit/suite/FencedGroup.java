package dev.leasehold.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;

/** A group of cases with holders, who acquire leases and take them over, and with their claims. */
public abstract class FencedGroup<U extends BlockUnderTest> extends ContractGroup<U> {
  protected static final LeaseKey KEY = new LeaseKey("leader/block");
  protected static final LeaseKey OTHER_KEY = new LeaseKey("leader/other");
  protected static final Instance ANN = Instance.of("a".repeat(32));
  protected static final Instance BOB = Instance.of("b".repeat(32));
  protected static final Operator OLGA = new Operator("olga");
  protected static final Duration TTL = Duration.ofSeconds(10);

  protected final LeaseStore leases() {
    return under.leaseStore();
  }

  /** How long the store remembers requests. */
  protected final Duration memory() {
    return Duration.ofMillis(leases().limits().memoryMillis());
  }

  protected final Outcome lease(Command command) {
    return answer(leases().apply(List.of(command))).getFirst();
  }

  protected final Outcome acquire(LeaseKey key, Instance instance) {
    return lease(Command.Acquire.of(key, instance, request(), Terms.of("a holder", TTL)));
  }

  /** The claim of a new grant. */
  protected final Claim acquired(LeaseKey key, Instance instance) {
    return claim(key, acquire(key, instance));
  }

  protected static Claim claim(LeaseKey key, Outcome acquired) {
    assertThat(acquired).isInstanceOf(Outcome.Granted.class);
    return Claim.of(key, ((Outcome.Granted) acquired).grant().token());
  }

  protected final void release(Claim claim, Instance instance) {
    assertThat(lease(new Command.Release(claim.key(), claim.token(), instance, request())))
        .isInstanceOf(Outcome.Released.class);
  }

  /** The claim of the next holder, after the first grant has expired. */
  protected final Claim takenOver(LeaseKey key) {
    pass(TTL.plusMillis(1));
    return acquired(key, BOB);
  }

  protected static Claim above(Claim claim) {
    return Claim.of(claim.key(), new Token(claim.token().value() + 1));
  }
}
