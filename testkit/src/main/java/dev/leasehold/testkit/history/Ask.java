package dev.leasehold.testkit.history;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.rules.Caller;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.Remembered.Verb;
import dev.leasehold.kernel.spi.Command;
import java.util.Optional;

/** What a client asked of a key, without its secret. */
public sealed interface Ask {
  LeaseKey key();

  /**
   * A command that can be repeated under its request id.
   *
   * @param token the one that it brought, for release and hand over
   */
  record Requested(LeaseKey key, Remembered.Request request, Optional<Token> token)
      implements Ask {}

  /** A renewal has no request id: repeating it is harmless. */
  record Renewal(LeaseKey key, InstanceId instanceId, Token token) implements Ask {}

  /** What a command asks; empty for housekeeping, which no client waits for. */
  static Optional<Ask> of(Command command) {
    return switch (command) {
      case Command.Acquire c -> holder(c.key(), Verb.ACQUIRE, c.requestId(), c.instance().id());
      case Command.Abandon c -> holder(c.key(), Verb.ABANDON, c.requestId(), c.instance().id());
      case Command.Renew c -> Optional.of(new Renewal(c.key(), c.instance().id(), c.token()));
      case Command.Release c ->
          bringing(
              c.token(),
              new Remembered.Request(c.requestId(), by(c.instance().id()), Verb.RELEASE),
              c.key());
      case Command.HandOver c ->
          bringing(
              c.token(),
              new Remembered.Request(c.requestId(), by(c.instance().id()), Verb.HAND_OVER),
              c.key());
      case Command.Revoke c ->
          plain(
              c.key(),
              new Remembered.Request(c.requestId(), new Caller.ByOperator(c.by()), Verb.REVOKE));
      case Command.Reopen c ->
          plain(
              c.key(),
              new Remembered.Request(c.requestId(), new Caller.ByOperator(c.by()), Verb.REOPEN));
      case Command.EndStalled c -> Optional.empty();
      case Command.EndExpired c -> Optional.empty();
      case Command.Purge c -> Optional.empty();
    };
  }

  private static Caller by(InstanceId instanceId) {
    return new Caller.Holder(instanceId);
  }

  private static Optional<Ask> holder(
      LeaseKey key, Verb verb, RequestId requestId, InstanceId instanceId) {
    return plain(key, new Remembered.Request(requestId, by(instanceId), verb));
  }

  private static Optional<Ask> plain(LeaseKey key, Remembered.Request request) {
    return Optional.of(new Requested(key, request, Optional.empty()));
  }

  private static Optional<Ask> bringing(Token token, Remembered.Request request, LeaseKey key) {
    return Optional.of(new Requested(key, request, Optional.of(token)));
  }
}
