package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.HolderOption;
import dev.leasehold.cli.command.RequestOption;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.command.Values;
import dev.leasehold.cli.config.LeaseTimes;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lease acquire}: acquires a key once. The caller has to renew it. */
@Command(
    name = "acquire",
    description = "Take a lease, and print its token and the instance that it belongs to.",
    footer = {
      "",
      "This command does not renew the lease: renew it before it ends, or let it end.",
      "",
      "Examples:",
      "  leasehold lease acquire lock/nightly-report --ttl 5m --store sqlite:leases.db",
      "  leasehold lease acquire leader/billing --wait 30s --purpose failover --json"
    })
public final class AcquireCommand extends StoreCommand {
  /** Repeats under one request id end after this time, so that the store still remembers the id. */
  private static final Duration MAX_REPEATING = Duration.ofMinutes(5);

  private static final Duration MAX_WAIT = Duration.ofDays(365);

  @Mixin final KeyParameter about = new KeyParameter();
  @Mixin final InstanceOption by = new InstanceOption();
  @Mixin final RequestOption request = new RequestOption();

  @Mixin final TimeOptions times = new TimeOptions();

  @Option(
      names = "--wait",
      paramLabel = "D",
      description = "How long to wait while another holds it. Else 0s.")
  Duration wait = Duration.ZERO;

  @Mixin final HolderOption holder = new HolderOption();

  @Option(names = "--purpose", paramLabel = "WORD", description = "The purpose, for people.")
  String purpose = "";

  @Option(names = "--region", paramLabel = "WORD", description = "Where, for people.")
  String region = "";

  @Option(
      names = "--attribute",
      paramLabel = "NAME=VALUE",
      description = "A small note, for people; may be given again.")
  Map<String, String> attributes = new TreeMap<>();

  public AcquireCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    requireWait();
    LeaseKey key = about.key;
    Instance instance = by.given(context.environment()).orElseGet(Instance::random);
    Terms terms = terms(instance);
    store.leases().limits().requireTtl(terms.ttlMillis());
    Acquirer acquirer =
        new Acquirer(
            store.leases(),
            () ->
                dev.leasehold.kernel.spi.Command.Acquire.of(
                    key, instance, request.orRandom(), terms));
    var registration = context.interruptions().onInterrupt(acquirer::interrupt);
    try {
      return print(answer(key, instance, acquirer.acquire(wait)));
    } finally {
      registration.close();
    }
  }

  private void requireWait() {
    boolean repeats = request.requestId.isPresent();
    Duration longest = repeats ? MAX_REPEATING : MAX_WAIT;
    if (wait.compareTo(longest) > 0) {
      throw new CommandFailedException(
          Exit.USAGE,
          "--wait is at most "
              + Values.text(longest.toMillis())
              + (repeats ? " with a --request-id, which is remembered for a while only" : ""));
    }
  }

  private Terms terms(Instance instance) {
    String name = holder.name(context, instance);
    LeaseTimes kept = times.of(about.key, options.config(context));
    return Terms.of(name, kept.ttl())
        .withInfo(new HolderInfo(name, purpose, region, attributes))
        .withStallLimit(kept.stall().map(StallLimit::of).orElse(StallLimit.NONE));
  }

  private static CommandResult answer(LeaseKey key, Instance instance, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Granted granted -> granted(key, instance, granted);
      case Outcome.Held held -> LeaseResults.held(key, held);
      case Outcome.Closed closed -> LeaseResults.closed(key, closed);
      case Outcome.Ended ended ->
          new CommandResult(
              Exit.LOST,
              LeaseResults.json(key, ended),
              "this request was granted before under token "
                  + ended.token()
                  + ", and that grant "
                  + LossTexts.sentence(ended.reason())
                  + "; for a new one, take another request id");
      case Outcome.Abandoned abandoned ->
          new CommandResult(
              Exit.LOST,
              LeaseResults.json(key, abandoned),
              "this request was abandoned before; take another request id");
      default -> throw LeaseResults.foreign(outcome);
    };
  }

  /** The answer in a server's format, and the instance, which only this process knows. */
  private static CommandResult granted(LeaseKey key, Instance instance, Outcome.Granted granted) {
    var grant = granted.grant();
    String text =
        String.join(
            System.lineSeparator(),
            "granted " + key + " for " + Values.text(granted.remainingMillis()),
            "token     " + grant.token(),
            "holder    " + grant.terms().info().holder(),
            "instance  " + instance.secret() + "  (secret: proves whose grant it is)");
    return LeaseResults.done(key, granted, text)
        .with(out -> out.text("instance", instance.secret()));
  }
}
