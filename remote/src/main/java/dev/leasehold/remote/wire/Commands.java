package dev.leasehold.remote.wire;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.remote.api.LeaseVerb;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Commands as JSON. If a request id is absent, the reader creates one, which then stands for one
 * attempt.
 */
public final class Commands {
  public static final int MAX_ITEMS = 10_000;
  public static final long MAX_WAIT_MILLIS = 60_000;

  private Commands() {}

  /**
   * An acquire, and how long its sender waits for it.
   *
   * @param named whether the sender chose the request id, and so can repeat the request
   */
  public record Waiting(Command.Acquire acquire, long waitMillis, boolean named) {}

  /**
   * Reads one command.
   *
   * @param operator returns the operator of a command, given the name in it, if there is one
   */
  public static Command read(
      LeaseVerb verb, Members members, Function<Optional<String>, Operator> operator) {
    Command command =
        members.together(
            () ->
                switch (verb) {
                  case ACQUIRE -> acquire(members);
                  case RENEW -> renew(members, instance(members));
                  case RELEASE ->
                      new Command.Release(
                          key(members), token(members), instance(members), requestId(members));
                  case ABANDON ->
                      new Command.Abandon(
                          key(members),
                          instance(members),
                          members.parsed("requestId", RequestId::new));
                  case HANDOVER -> handOver(members);
                  case REVOKE -> revoke(members, operator);
                  case REOPEN ->
                      new Command.Reopen(key(members), by(members, operator), requestId(members));
                });
    members.nothingElse();
    return command;
  }

  public static Waiting readWaiting(Members members) {
    long wait = members.numberIfAny("waitMs").orElse(0);
    if (wait < 0 || wait > MAX_WAIT_MILLIS) {
      throw members.refusal("waitMs", "must be from 0 to " + MAX_WAIT_MILLIS);
    }
    Command.Acquire acquire = members.together(() -> acquire(members));
    members.nothingElse();
    return new Waiting(acquire, wait, members.has("requestId"));
  }

  /** Checks each command of a batch as it is read, and refuses it by an exception. */
  public interface Check {
    void command(LeaseVerb verb, LeaseKey key);
  }

  /** Many renewals of one instance, which may stand after them. */
  public static List<Command> readRenewals(JsonIn in, Check check) {
    JsonIn.Batch<Function<Instance, Command>> batch =
        in.batch("leases", MAX_ITEMS, lease -> readRenewal(lease, check));
    Instance instance = instance(batch.others());
    batch.others().nothingElse();
    return batch.items().stream().map(renewal -> renewal.apply(instance)).toList();
  }

  private static Function<Instance, Command> readRenewal(Members lease, Check check) {
    LeaseKey key = key(lease);
    Token token = token(lease);
    OptionalLong ttl = lease.numberIfAny("ttlMs");
    long progress = lease.numberIfAny("progress").orElse(0);
    lease.nothingElse();
    check.command(LeaseVerb.RENEW, key);
    return instance -> lease.together(() -> new Command.Renew(key, token, instance, ttl, progress));
  }

  public static List<Command> readBatch(
      JsonIn in, Function<Optional<String>, Operator> operator, Check check) {
    return in.batch("commands", MAX_ITEMS, members -> readItem(members, operator, check)).alone();
  }

  private static Command readItem(
      Members members, Function<Optional<String>, Operator> operator, Check check) {
    LeaseVerb verb =
        LeaseVerb.of(members.text("verb"))
            .orElseThrow(() -> members.refusal("verb", "no such verb is known"));
    Command command = read(verb, members, operator);
    check.command(verb, command.key());
    return command;
  }

  private static Command.Acquire acquire(Members members) {
    HolderInfo info = holderInfo(members);
    StallLimit stall = members.countedIfAny("stallMs", StallLimit::new).orElse(StallLimit.NONE);
    Optional<Command.Expected> expected = members.objectIfAny("expect").map(Commands::expected);
    return new Command.Acquire(
        key(members),
        instance(members),
        requestId(members),
        new Terms(info, members.number("ttlMs"), stall),
        expected);
  }

  static HolderInfo holderInfo(Members members) {
    return new HolderInfo(
        members.text("holder"),
        members.textIfAny("purpose").orElse(""),
        members.textIfAny("region").orElse(""),
        members.texts("attributes"));
  }

  private static Command.Expected expected(Members members) {
    Command.Expected expected =
        new Command.Expected(members.parsed("instanceId", InstanceId::new), token(members));
    members.nothingElse();
    return expected;
  }

  private static Command.Renew renew(Members members, Instance instance) {
    return new Command.Renew(
        key(members),
        token(members),
        instance,
        members.numberIfAny("ttlMs"),
        members.numberIfAny("progress").orElse(0));
  }

  private static Command.HandOver handOver(Members members) {
    return new Command.HandOver(
        key(members),
        token(members),
        instance(members),
        requestId(members),
        new Command.Heir(members.text("to"), members.parsed("toInstanceId", InstanceId::new)));
  }

  private static Command.Revoke revoke(
      Members members, Function<Optional<String>, Operator> operator) {
    boolean now = members.flag("now", false);
    boolean keepClosed = members.flag("keepClosed", false);
    if (now && keepClosed) {
      throw members.refusal("keepClosed", "a key cannot open now and stay closed");
    }
    Reopening reopening =
        keepClosed ? Reopening.BY_OPERATOR : now ? Reopening.NOW : Reopening.AT_EXPIRY;
    return new Command.Revoke(
        key(members),
        by(members, operator),
        members.parsed("why", Explanation::new),
        reopening,
        requestId(members));
  }

  private static Operator by(Members members, Function<Optional<String>, Operator> operator) {
    Optional<String> name = members.textIfAny("by");
    return members.within("by", () -> operator.apply(name));
  }

  public static LeaseKey key(Members members) {
    return members.parsed("key", LeaseKey::new);
  }

  public static Token token(Members members) {
    return members.counted("token", Token::new);
  }

  private static Instance instance(Members members) {
    return members.parsed("instance", Instance::of);
  }

  static RequestId requestId(Members members) {
    return members.parsedIfAny("requestId", RequestId::new).orElseGet(RequestId::random);
  }

  /** Writes the members of a batch, which may contain only commands that a client may send. */
  public static void writeBatch(JsonOut out, List<Command> commands) {
    out.list(
        "commands",
        commands,
        (item, command) -> {
          item.text("verb", verbOf(command).word());
          write(item, command);
        });
  }

  public static LeaseVerb verbOf(Command command) {
    return switch (command) {
      case Command.Acquire c -> LeaseVerb.ACQUIRE;
      case Command.Renew c -> LeaseVerb.RENEW;
      case Command.Release c -> LeaseVerb.RELEASE;
      case Command.Abandon c -> LeaseVerb.ABANDON;
      case Command.HandOver c -> LeaseVerb.HANDOVER;
      case Command.Revoke c -> LeaseVerb.REVOKE;
      case Command.Reopen c -> LeaseVerb.REOPEN;
      case Command.EndStalled c -> throw onlyStoresSend(c);
      case Command.EndExpired c -> throw onlyStoresSend(c);
      case Command.Purge c -> throw onlyStoresSend(c);
    };
  }

  /** The members of one command, without its verb. */
  public static void write(JsonOut out, Command command) {
    out.text("key", command.key().text());
    switch (command) {
      case Command.Acquire c -> writeAcquire(out, c);
      case Command.Renew c -> {
        held(out, c.token(), c.instance()).number("ttlMs", c.ttlMillis());
        out.number("progress", c.progress());
      }
      case Command.Release c -> {
        held(out, c.token(), c.instance()).text("requestId", c.requestId().text());
      }
      case Command.Abandon c -> {
        out.text("instance", c.instance().secret()).text("requestId", c.requestId().text());
      }
      case Command.HandOver c -> {
        held(out, c.token(), c.instance()).text("requestId", c.requestId().text());
        out.text("to", c.heir().holder()).text("toInstanceId", c.heir().instanceId().text());
      }
      case Command.Revoke c -> {
        out.text("by", c.by().name()).text("why", c.why().text());
        out.flag("now", c.reopening() == Reopening.NOW);
        out.flag("keepClosed", c.reopening() == Reopening.BY_OPERATOR);
        out.text("requestId", c.requestId().text());
      }
      case Command.Reopen c -> {
        out.text("by", c.by().name()).text("requestId", c.requestId().text());
      }
      case Command.EndStalled c -> throw onlyStoresSend(c);
      case Command.EndExpired c -> throw onlyStoresSend(c);
      case Command.Purge c -> throw onlyStoresSend(c);
    }
  }

  private static void writeAcquire(JsonOut out, Command.Acquire acquire) {
    HolderInfo info = acquire.terms().info();
    Map<String, String> attributes = info.attributes();
    out.text("instance", acquire.instance().secret());
    out.text("requestId", acquire.requestId().text());
    out.text("holder", info.holder());
    out.textIfAny("purpose", info.purpose()).textIfAny("region", info.region());
    out.number("ttlMs", acquire.terms().ttlMillis());
    out.number("stallMs", acquire.terms().stallLimit().millis());
    if (!attributes.isEmpty()) {
      out.texts("attributes", attributes);
    }
    out.object(
        "expect",
        acquire.expected(),
        (inner, expected) ->
            inner
                .text("instanceId", expected.instanceId().text())
                .number("token", expected.token().value()));
  }

  private static JsonOut held(JsonOut out, Token token, Instance instance) {
    return out.number("token", token.value()).text("instance", instance.secret());
  }

  private static IllegalArgumentException onlyStoresSend(Command command) {
    return new IllegalArgumentException(
        "only a store sends " + command.getClass().getSimpleName() + ", and to itself");
  }
}
