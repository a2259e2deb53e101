package dev.leasehold.cli.demo;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.Interruptions;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.LeaseKey;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code demo}: the paused holder, with real processes. It prints each step as it happens. */
@Command(
    name = "demo",
    description = "Watch a paused process lose its lease, and a fence stop its late write.",
    footer = {
      "",
      "Two processes, real signals, and a folder that is gone afterwards. It takes ten seconds.",
      "",
      "Examples:",
      "  leasehold demo",
      "  leasehold demo --store jdbc:postgresql://db/app"
    })
public final class DemoCommand implements Callable<Integer> {
  private static final double NANOS_PER_SECOND = 1e9;

  @Option(
      names = "--store",
      paramLabel = "URL",
      description = "Where the leases are. Else a SQLite file in a folder of its own.")
  Optional<String> store = Optional.empty();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  private final CommandContext context;
  private final long startedNanos;

  public DemoCommand(CommandContext context) {
    this.context = context;
    this.startedNanos = context.ticker().nanos();
  }

  @Override
  public Integer call() throws Exception {
    if (store.equals(Optional.of("memory:"))) {
      throw new CommandFailedException(
          Exit.USAGE,
          "processes cannot share a store in memory: leave --store out, or name a file");
    }
    Path folder = Files.createTempDirectory("leasehold-demo-");
    try {
      return tell(folder).code();
    } finally {
      delete(folder);
    }
  }

  private Exit tell(Path folder) throws Exception {
    AccountPlace fenced = AccountPlace.fenced("MARK", "sqlite:" + folder.resolve("account.db"));
    say("An account of 100 is kept in a database that checks tokens: the fence.");
    Ending with = play(folder, fenced);
    say("");
    say("The same again, and the database checks nothing.");
    Ending without = play(folder, fenced.withoutFence());
    say("");
    if (!(with instanceof Ending.StaleWriteRefused)
        || !(without instanceof Ending.StaleWriteLanded)) {
      throw new IllegalStateException("the story went wrong: " + with + ", " + without);
    }
    say(
        "The lease was the same both times. What stops a late writer is the check where it"
            + " writes.");
    say("Next: put a fence before your own tables, services and files, as docs/fences.md shows.");
    return Exit.DONE;
  }

  private Ending play(Path folder, AccountPlace place) throws Exception {
    PausedHolder.Stage stage =
        new PausedHolder.Stage(
            store.orElse("sqlite:" + folder.resolve("leases.db")),
            key(),
            List.of(place),
            PausedHolder.Program.OF_DEMO);
    try (PausedHolder story = PausedHolder.open(stage, this::sayWhen)) {
      Interruptions.Registration registration =
          context.interruptions().onInterrupt(() -> abandon(story, folder));
      try {
        return story.play(Pause.BEFORE_THE_WRITE).getFirst();
      } finally {
        registration.close();
      }
    }
  }

  /** In a shared store, a key of its own. */
  private LeaseKey key() {
    return store.isEmpty()
        ? LeaseKey.of("demo", "account")
        : LeaseKey.of("demo", "account-" + ProcessHandle.current().pid());
  }

  private static void abandon(PausedHolder story, Path folder) {
    story.close();
    delete(folder);
  }

  private void sayWhen(String sentence) {
    double seconds = (context.ticker().nanos() - startedNanos) / NANOS_PER_SECOND;
    context.out().printf("%6.1f s  %s%n", seconds, sentence);
  }

  private void say(String sentence) {
    context.out().println(sentence);
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.getLogger(DemoCommand.class.getName())
          .log(Level.WARNING, folder + " could not be deleted", e);
    }
  }
}
