package dev.leasehold.kernel.spi;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A command about a key. Commands of a batch stand alone; those on one key take effect in order. A
 * command that may change something for good carries a request id, so that it can be sent again
 * when its answer was lost.
 */
public sealed interface Command {
  /** What batches need to know of commands on leases. */
  CommandKind<LeaseKey, Command, Outcome> KIND = new LeaseCommandKind();

  LeaseKey key();

  /** Whether only a store sends it, to itself. A server accepts such a command from no client. */
  default boolean isOfStores() {
    return this instanceof EndStalled || this instanceof EndExpired || this instanceof Purge;
  }

  /** Take the key if it is free, or its grant has expired in store time. */
  record Acquire(
      LeaseKey key,
      Instance instance,
      RequestId requestId,
      Terms terms,
      Optional<Expected> expected)
      implements Command {
    public static Acquire of(LeaseKey key, Instance instance, RequestId requestId, Terms terms) {
      return new Acquire(key, instance, requestId, terms, Optional.empty());
    }

    /** Only if the record still is what the caller read: the compare-and-set takeover. */
    public Acquire expecting(InstanceId instanceId, Token token) {
      Expected found = new Expected(instanceId, token);
      return new Acquire(key, instance, requestId, terms, Optional.of(found));
    }
  }

  /** The grant that a caller read, and wants to follow. */
  record Expected(InstanceId instanceId, Token token) {}

  /**
   * Give up an acquire whose answer never came: if it was granted, the grant is released; if not,
   * it will not be. The request id is that of the acquire.
   */
  record Abandon(LeaseKey key, Instance instance, RequestId requestId) implements Command {}

  /**
   * Extend the caller's grant.
   *
   * @param ttlMillis empty: as long as before
   * @param progress a mark that counts as movement when it is above the recorded one
   */
  record Renew(LeaseKey key, Token token, Instance instance, OptionalLong ttlMillis, long progress)
      implements Command {
    public Renew {
      if (progress < 0) {
        throw new IllFormedException("progress " + progress + " is negative: marks start at 0");
      }
    }

    public static Renew of(LeaseKey key, Token token, Instance instance) {
      return new Renew(key, token, instance, OptionalLong.empty(), 0);
    }
  }

  /** Give the caller's grant back. */
  record Release(LeaseKey key, Token token, Instance instance, RequestId requestId)
      implements Command {}

  /** Pass the caller's grant on: the key is never free before the heir has it. */
  record HandOver(LeaseKey key, Token token, Instance instance, RequestId requestId, Heir heir)
      implements Command {
    public HandOver {
      if (instance.id().equals(heir.instanceId())) {
        throw new IllFormedException("a grant cannot be handed over to its own holder");
      }
    }
  }

  /** The receiver of a hand-over. */
  record Heir(String holder, InstanceId instanceId) {
    public Heir {
      // The heir's name is bounded as every holder's is.
      holder = HolderInfo.named(holder).holder();
    }
  }

  /** Take the key away from its holder; an operator's verb. */
  record Revoke(
      LeaseKey key, Operator by, Explanation why, Reopening reopening, RequestId requestId)
      implements Command {}

  /** When a revoked key can be acquired again. */
  enum Reopening {
    /** When the revoked grant would have expired: until then its holder may still trust it. */
    AT_EXPIRY,
    /**
     * At once, relying on the fence alone. Also lifts a closure that would have ended by itself.
     */
    NOW,
    /** When an operator reopens it. */
    BY_OPERATOR
  }

  /** Open a key that was closed until an operator acts; an operator's verb. */
  record Reopen(LeaseKey key, Operator by, RequestId requestId) implements Command {}

  /**
   * End a grant that has made no progress for longer than its stall limit. A renewal that finds a
   * stall changes nothing; the store then sends this command to itself, off the renewal lane, and
   * decides again. Only the store sends it: between two renewals, only the store knows whether the
   * work has moved.
   */
  record EndStalled(LeaseKey key, Token token) implements Command {}

  /**
   * End a grant that has expired, although no other follows. From then on no late renewal and no
   * check at effect finds it current. The key stays open: its holder has stopped to trust it.
   */
  record EndExpired(LeaseKey key, Token token) implements Command {}

  /**
   * Forget a key that has been dead for this time, and keep its tokens below the bucket's floor.
   */
  record Purge(LeaseKey key, long deadForMillis) implements Command {
    public Purge {
      if (deadForMillis < 0) {
        throw new IllFormedException("a key cannot be dead for " + deadForMillis + " ms");
      }
    }
  }
}
