package dev.leasehold.kernel.rules;

import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import java.util.Optional;

/** The one place where a command on a lease is decided. */
public final class LeaseRules {
  private LeaseRules() {}

  /**
   * Decides a command. Every well-formed command has an outcome, for every record and every time. A
   * ttl that this store cannot keep is not well-formed, and a key whose counter is used up gets no
   * further token.
   *
   * @param clockMillis the store's clock, read after the record was locked
   * @throws dev.leasehold.fence.IllFormedException when the ttl is out of the store's bounds
   * @throws dev.leasehold.fence.TokenExhaustedException when the key's counter is used up
   */
  public static Decision decide(KeyState state, Command command, long clockMillis, Limits limits) {
    DecisionContext context = DecisionContext.at(state, clockMillis, limits);
    return switch (command) {
      case Command.Acquire acquire -> AcquireRules.acquire(context, acquire);
      case Command.Abandon abandon -> AcquireRules.abandon(context, abandon);
      case Command.Renew renew -> HolderRules.renew(context, renew);
      case Command.Release release -> HolderRules.release(context, release);
      case Command.HandOver handOver -> HolderRules.handOver(context, handOver);
      case Command.EndStalled endStalled -> HolderRules.endStalled(context, endStalled);
      case Command.EndExpired endExpired -> HolderRules.endExpired(context, endExpired);
      case Command.Revoke revoke -> OperatorRules.revoke(context, revoke);
      case Command.Reopen reopen -> OperatorRules.reopen(context, reopen);
      case Command.Purge purge -> OperatorRules.purge(context, purge);
    };
  }

  /**
   * The record as the rules see it in an incarnation: a grant of an earlier incarnation has ended,
   * even if no transaction has recorded that yet.
   */
  public static LeaseRecord inIncarnation(LeaseRecord record, StoreIncarnation storeIncarnation) {
    Optional<Grant> outlived =
        record.currentGrant().filter(g -> g.token().incarnation() < storeIncarnation.incarnation());
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
