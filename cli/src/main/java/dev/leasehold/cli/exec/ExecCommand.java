package dev.leasehold.cli.exec;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.HolderOption;
import dev.leasehold.cli.command.StoreOptions;
import dev.leasehold.cli.config.LeaseTimes;
import dev.leasehold.cli.config.Setting;
import dev.leasehold.cli.lease.KeyParameter;
import dev.leasehold.cli.lease.LeaseResults;
import dev.leasehold.cli.lease.LossTexts;
import dev.leasehold.cli.lease.TimeOptions;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code exec}: runs a command under a lease. */
@Command(
    name = "exec",
    description = "Run a command under a lease, and stop it when the lease is lost.",
    footer = {
      "",
      "The command sees LEASEHOLD_KEY, LEASEHOLD_TOKEN, LEASEHOLD_HOLDER, where it is"
          + " leased from, and LEASEHOLD_PROGRESS, a file whose change counts as progress. It"
          + " ends with the code of the command, with 3 when another holds the key, and with 4"
          + " after the lease was lost.",
      "",
      "Examples:",
      "  leasehold exec lock/nightly-report --ttl 1m -- ./report.sh",
      "  leasehold exec lock/import --wait 10m --stall 5m -- ./import.sh --full"
    })
public final class ExecCommand implements Callable<Integer> {
  private static final Duration MOST_GRACE = Duration.ofSeconds(5);
  private static final int GRACES_PER_TTL = 10;

  @Mixin final StoreOptions options = new StoreOptions();
  @Mixin final KeyParameter about = new KeyParameter();

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "What to run, after --.")
  List<String> command = new ArrayList<>();

  @Mixin final TimeOptions times = new TimeOptions();

  @Option(
      names = "--heartbeat",
      paramLabel = "D",
      description = "How often it is renewed. Else as configured, else a third of the ttl.")
  Optional<String> heartbeat = Optional.empty();

  @Option(names = "--wait", paramLabel = "D", description = "How long to wait for it. Else 0s.")
  Duration wait = Duration.ZERO;

  @Option(
      names = "--grace",
      paramLabel = "D",
      description = "From TERM to KILL, when the lease ends. Else a tenth of the ttl, at most 5s.")
  Optional<Duration> grace = Optional.empty();

  @Mixin final HolderOption holder = new HolderOption();

  @Option(names = "--purpose", paramLabel = "WORD", description = "The purpose, for people.")
  String purpose = "exec";

  private final CommandContext context;

  public ExecCommand(CommandContext context) {
    this.context = context;
  }

  private Duration graceOrUsual(Duration ttl) {
    Duration tenth = ttl.dividedBy(GRACES_PER_TTL);
    return grace.orElse(tenth.compareTo(MOST_GRACE) < 0 ? tenth : MOST_GRACE);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    LeasePlace place = options.place(context);
    LeaseTimes kept = times.of(about.key, heartbeat, options.config(context));
    Duration stop = graceOrUsual(kept.ttl());
    Instance instance = Instance.random();
    String name = holder.name(context, instance);
    LeaseRequest request = LeaseRequest.of(about.key).ttl(kept.ttl()).grace(stop).purpose(purpose);
    LeaseRequest beating = kept.heartbeat().map(request::renewEvery).orElse(request);
    LeaseRequest whole = kept.stall().map(beating::stallAfter).orElse(beating);
    try (Store store = context.stores().apply(place);
        Leases leases = Leases.on(store).holder(name).instance(instance).open()) {
      // A command that is interrupted while it waits must not acquire the lease.
      var registration = context.interruptions().onInterrupt(leases::close);
      return switch (acquire(leases, whole, wait)) {
        case Acquisition.Acquired(Lease lease) -> {
          LeasedRun.Plan plan =
              new LeasedRun.Plan(command, environment(place, lease, name), kept.ttl(), stop);
          int code = run(lease, plan);
          registration.close();
          yield code;
        }
        case Acquisition.NotAcquired not -> context.print(notAcquired(not), options.json).code();
      };
    }
  }

  private int run(Lease lease, LeasedRun.Plan plan) throws IOException, InterruptedException {
    return switch (new LeasedRun(lease, plan, context.ticker()).run()) {
      case LeasedRun.Ended.ByItself(int code) -> code;
      case LeasedRun.Ended.Lost(LossReason why) ->
          stopped(about.key + " was lost: the lease " + LossTexts.sentence(why));
      case LeasedRun.Ended.Unguarded unguarded ->
          stopped(
              "the command under "
                  + about.key
                  + " was stopped: its guardian process had died, and no other one came up");
    };
  }

  private int stopped(String why) {
    context.err().println("leasehold: " + why);
    return Exit.LOST.code();
  }

  /** Passes on only the place that this command used, and none that it inherited. */
  private Map<String, String> environment(LeasePlace place, Lease lease, String name) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("LEASEHOLD_KEY", lease.key().text());
    environment.put("LEASEHOLD_TOKEN", lease.token().toString());
    environment.put("LEASEHOLD_HOLDER", name);
    environment.put(Setting.STORE.variable(), "");
    environment.put(Setting.SERVER.variable(), "");
    environment.putAll(place.variables(context.folder()));
    return environment;
  }

  /**
   * A store's refusal comes with its answer; a request that no store can grant is refused before it
   * is sent.
   */
  private static Acquisition acquire(Leases leases, LeaseRequest request, Duration wait) {
    try {
      return leases.acquireAsync(request, wait).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IllFormedException refused) {
        throw new CommandFailedException(
            Exit.REFUSED, String.valueOf(refused.getMessage()), refused);
      }
      throw e;
    }
  }

  private CommandResult notAcquired(Acquisition.NotAcquired not) {
    return switch (not) {
      case Acquisition.Held held ->
          LeaseResults.held(
              about.key,
              new Outcome.Held(
                  held.holder(), held.instanceId(), held.token(), held.remaining().toMillis()));
      case Acquisition.Closed(String reason, Optional<Duration> remaining) ->
          LeaseResults.closed(
              about.key,
              new Outcome.Closed(
                  reason,
                  remaining.isPresent()
                      ? OptionalLong.of(remaining.get().toMillis())
                      : OptionalLong.empty()));
      case Acquisition.Failed(String why) ->
          throw new CommandFailedException(Exit.UNREACHABLE, "the store did not answer: " + why);
      case Acquisition.Unsafe(String why) -> throw new CommandFailedException(Exit.REFUSED, why);
      case Acquisition.Cancelled cancelled ->
          throw new CommandFailedException(Exit.INTERRUPTED, "interrupted while waiting");
      default -> throw new CommandFailedException(Exit.REFUSED, "it was refused: " + not);
    };
  }
}
