package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;

/** Rewrites commands on a key as they would be, had fewer of its tokens been issued before. */
final class LowerTokens {
  private LowerTokens() {}

  static LeaseStep in(LeaseStep step, LeaseKey key, int by) {
    return step instanceof LeaseStep.Send send
        ? new LeaseStep.Send(send.batch().stream().map(command -> in(command, key, by)).toList())
        : step;
  }

  private static Command in(Command command, LeaseKey key, int by) {
    if (!command.key().equals(key)) {
      return command;
    }
    return switch (command) {
      case Command.Acquire c ->
          c.expected().map(e -> c.expecting(e.instanceId(), lower(e.token(), by))).orElse(c);
      case Command.Renew c ->
          new Command.Renew(key, lower(c.token(), by), c.instance(), c.ttlMillis(), c.progress());
      case Command.Release c ->
          new Command.Release(key, lower(c.token(), by), c.instance(), c.requestId());
      case Command.HandOver c ->
          new Command.HandOver(key, lower(c.token(), by), c.instance(), c.requestId(), c.heir());
      case Command.EndStalled c -> new Command.EndStalled(key, lower(c.token(), by));
      case Command.EndExpired c -> new Command.EndExpired(key, lower(c.token(), by));
      case Command.Abandon c -> c;
      case Command.Revoke c -> c;
      case Command.Reopen c -> c;
      case Command.Purge c -> c;
    };
  }

  private static Token lower(Token token, int by) {
    return Token.of(token.incarnation(), Math.max(1, token.counter() - by));
  }
}
