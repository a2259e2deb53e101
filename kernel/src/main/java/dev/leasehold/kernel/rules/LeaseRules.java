package dev.leasehold.kernel.rules;

import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import java.util.Optional;

/** The one place where a command on a lease is decided. */
public final class LeaseRules {
  private LeaseRules() {}

  /**
   * Decides a command. Total over well-formed input: whatever the record, the command and the
   * clock, there is an outcome. A ttl that this store cannot keep is not well-formed, and a counter
   * that is used up stops everything that would issue a token.
   *
   * @param clockMillis the store's clock, read after the record was locked
   * @throws dev.leasehold.fence.IllFormedException when the ttl is out of the store's bounds
   * @throws dev.leasehold.fence.TokenExhaustedException when the key's counter is used up
   */
  public static Decision decide(KeyState state, Command command, long clockMillis, Limits limits) {
    Scene scene = Scene.at(state, clockMillis, limits);
    return switch (command) {
      case Command.Acquire acquire -> Acquiring.acquire(scene, acquire);
      case Command.Abandon abandon -> Acquiring.abandon(scene, abandon);
      case Command.Renew renew -> Holding.renew(scene, renew);
      case Command.Release release -> Holding.release(scene, release);
      case Command.HandOver handOver -> Holding.handOver(scene, handOver);
      case Command.EndStalled endStalled -> Holding.endStalled(scene, endStalled);
      case Command.Revoke revoke -> Operating.revoke(scene, revoke);
      case Command.Reopen reopen -> Operating.reopen(scene, reopen);
      case Command.Purge purge -> Operating.purge(scene, purge);
    };
  }

  /**
   * A record as it counts in an era: a grant of an earlier incarnation has ended, whether or not
   * anybody has written that down yet.
   */
  public static LeaseRecord inEra(LeaseRecord record, Era era) {
    Optional<Grant> outlived =
        record.currentGrant().filter(g -> g.token().incarnation() < era.incarnation());
    return outlived
        .map(g -> g.withStanding(ended(new LossReason.IncarnationAdvanced(), g.renewedAtMillis())))
        .map(g -> record.withGrant(g, record.writtenAtMillis()))
        .orElse(record);
  }

  static Standing ended(LossReason reason, long nowMillis) {
    return new Standing.Ended(reason, nowMillis);
  }

  static Optional<LossReason> endOf(Grant grant) {
    return grant.standing() instanceof Standing.Ended ended
        ? Optional.of(ended.reason())
        : Optional.empty();
  }
}
