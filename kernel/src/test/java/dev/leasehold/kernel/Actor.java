package dev.leasehold.kernel;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import java.util.OptionalLong;

/** A process that wants the key of these tests, and the commands that it sends. */
public record Actor(String name, Instance instance) {
  public static final LeaseKey KEY = new LeaseKey("lock/nightly-report");
  public static final long TTL = 30_000;

  public static final Actor ANNA = new Actor("anna", Instance.of("a".repeat(32)));
  public static final Actor BEN = new Actor("ben", Instance.of("b".repeat(32)));
  public static final Actor CLEO = new Actor("cleo", Instance.of("c".repeat(32)));

  public InstanceId id() {
    return instance.id();
  }

  public Terms terms(long ttlMillis) {
    return new Terms(HolderInfo.named(name), ttlMillis, StallLimit.NONE);
  }

  public Command.Acquire acquire(String requestId) {
    return acquire(requestId, terms(TTL));
  }

  public Command.Acquire acquire(String requestId, Terms terms) {
    return Command.Acquire.of(KEY, instance, new RequestId(requestId), terms);
  }

  public Command.Abandon abandon(String requestId) {
    return new Command.Abandon(KEY, instance, new RequestId(requestId));
  }

  public Command.Renew renew(Token token) {
    return Command.Renew.of(KEY, token, instance);
  }

  public Command.Renew renewFor(Token token, long ttlMillis) {
    return new Command.Renew(KEY, token, instance, OptionalLong.of(ttlMillis), 0);
  }

  public Command.Renew renewAt(Token token, long progress) {
    return new Command.Renew(KEY, token, instance, OptionalLong.empty(), progress);
  }

  public Command.Release release(Token token, String requestId) {
    return new Command.Release(KEY, token, instance, new RequestId(requestId));
  }

  /** Begins a hand-over: {@code ANNA.hands(token, "r1").to(BEN)}. */
  public Giving hands(Token token, String requestId) {
    return new Giving(this, token, new RequestId(requestId));
  }

  /** A hand-over that still lacks its heir. */
  public record Giving(Actor giver, Token token, RequestId requestId) {
    public Command.HandOver to(Actor heir) {
      return new Command.HandOver(
          KEY, token, giver.instance(), requestId, new Command.Heir(heir.name(), heir.id()));
    }
  }
}
