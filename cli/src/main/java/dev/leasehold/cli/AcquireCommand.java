package dev.leasehold.cli;

import dev.leasehold.cli.config.LeaseTimes;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.HolderInfo;
import dev.leasehold.kernel.Instance;
import dev.leasehold.kernel.StallLimit;
import dev.leasehold.kernel.Terms;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lease acquire}: takes a key once. Nothing renews it: that is the caller's to do. */
@Command(
    name = "acquire",
    description = "Take a lease, and print its token and the instance that it belongs to.",
    footer = {
      "",
      "The lease is not kept alive: renew it before it ends, or let it end.",
      "",
      "Examples:",
      "  leasehold lease acquire lock/nightly-report --ttl 5m --store sqlite:leases.db",
      "  leasehold lease acquire leader/billing --wait 30s --purpose failover --json"
    })
final class AcquireCommand extends StoreCommand {
  /** A request id is not repeated later than that, so that the store still remembers it. */
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

  @Option(names = "--purpose", paramLabel = "WORD", description = "What for, for people.")
  String purpose = "";

  @Option(names = "--region", paramLabel = "WORD", description = "Where, for people.")
  String region = "";

  @Option(
      names = "--attribute",
      paramLabel = "NAME=VALUE",
      description = "A small note, for people; may be given again.")
  Map<String, String> attributes = new TreeMap<>();

  AcquireCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    requireWait();
    LeaseKey key = about.key;
    Instance instance = by.given(surroundings.environment()).orElseGet(Instance::random);
    Terms terms = terms(instance);
    store.limits().requireTtl(terms.ttlMillis());
    var acquire =
        dev.leasehold.kernel.spi.Command.Acquire.of(key, instance, request.orRandom(), terms);
    Acquirer acquirer =
        new Acquirer(store, surroundings.ticker(), acquire, request.requestId.isPresent());
    var registration = surroundings.interruptions().onInterrupt(acquirer::interrupt);
    try {
      return print(answer(key, instance, acquirer.acquire(wait)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailedException(Exit.INTERRUPTED, "interrupted while waiting", e);
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
    String name = holder.name(surroundings, instance);
    LeaseTimes kept = times.of(about.key, options.config(surroundings));
    return Terms.of(name, kept.ttl())
        .withInfo(new HolderInfo(name, purpose, region, attributes))
        .withStallLimit(kept.stall().map(StallLimit::of).orElse(StallLimit.NONE));
  }

  private static Answer answer(LeaseKey key, Instance instance, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Granted granted -> granted(key, instance, granted);
      case Outcome.Held held -> Outcomes.held(key, held);
      case Outcome.Closed closed -> Outcomes.closed(key, closed);
      case Outcome.Ended ended ->
          new Answer(
              Exit.LOST,
              Losses.json(Outcomes.json("ended", key), ended.reason())
                  .with("token", ended.token().value()),
              "this request was granted before under token "
                  + ended.token()
                  + ", and that grant "
                  + Losses.sentence(ended.reason())
                  + "; for a new one, take another request id");
      case Outcome.Abandoned abandoned ->
          new Answer(
              Exit.LOST,
              Outcomes.json("abandoned", key),
              "this request was abandoned before; take another request id");
      default -> throw Outcomes.foreign(outcome);
    };
  }

  private static Answer granted(LeaseKey key, Instance instance, Outcome.Granted granted) {
    var grant = granted.grant();
    Json json =
        Outcomes.json("granted", key)
            .with("token", grant.token().value())
            .with("holder", grant.terms().info().holder())
            .with("instance", instance.secret())
            .with("instanceId", instance.id().text())
            .with("ttlMs", grant.terms().ttlMillis())
            .with("remainingMs", granted.remainingMillis());
    String text =
        String.join(
            System.lineSeparator(),
            "granted " + key + " for " + Values.text(granted.remainingMillis()),
            "token     " + grant.token(),
            "holder    " + grant.terms().info().holder(),
            "instance  " + instance.secret() + "  (secret: proves whose grant it is)");
    return new Answer(Exit.DONE, json, text);
  }
}
