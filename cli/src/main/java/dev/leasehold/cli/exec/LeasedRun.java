package dev.leasehold.cli.exec;

import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseLostException;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** A command that runs only as long as its lease lasts. */
public final class LeasedRun {
  private static final long LONGEST_INTERVAL_MILLIS = 200;
  private static final long SHORTEST_INTERVAL_MILLIS = 20;
  private static final int INTERVALS_PER_TTL = 50;

  /**
   * Waits for the progress file, which is created once the group is guarded. If the wrapper dies
   * before that, the command never starts.
   */
  private static final String GATE =
      "n=0; while [ ! -e \"$LEASEHOLD_PROGRESS\" ]; do n=$((n+1)); [ $n -gt 1200 ] && exit 125;"
          + " sleep 0.05; done; exec \"$@\"";

  private final Lease lease;
  private final Plan plan;
  private final Ticker ticker;
  private final Means means;
  private final Enforcement enforcement;
  private FileTime moved = FileTime.fromMillis(0);
  private boolean guarded = true;

  /**
   * What to run.
   *
   * @param environment variables for the command in addition to those of this process; an empty
   *     value removes one
   */
  public record Plan(
      List<String> command, Map<String, String> environment, Duration ttl, Duration grace) {}

  /** How the run ended. */
  public sealed interface Ended {
    /** By itself, or by a signal that was passed on. */
    record ByItself(int code) implements Ended {}

    /** The lease was lost. The command was stopped, unless it ended before that. */
    record Lost(LossReason why) implements Ended {}

    /** The command was stopped because its guardian had died and no other one started in time. */
    record Unguarded() implements Ended {}
  }

  /**
   * The means to control processes.
   *
   * @param signals registers a handler for the signals that this process receives
   */
  record Means(
      LongFunction<ProcessGroup> groups,
      Guards.Start guardians,
      Consumer<Consumer<String>> signals) {}

  public LeasedRun(Lease lease, Plan plan, Ticker ticker) {
    this(lease, plan, ticker, means(lease, plan));
  }

  LeasedRun(Lease lease, Plan plan, Ticker ticker, Means means) {
    this.lease = lease;
    this.plan = plan;
    this.ticker = ticker;
    this.means = means;
    this.enforcement = new Enforcement(plan.grace().toNanos());
  }

  private static Means means(Lease lease, Plan plan) {
    return new Means(
        ProcessGroup::of,
        () -> GuardianProcess.start(lease, plan.grace(), interval(plan)),
        PassedOnSignals::to);
  }

  static Duration interval(Plan plan) {
    long millis = plan.ttl().toMillis() / INTERVALS_PER_TTL;
    return Duration.ofMillis(Math.clamp(millis, SHORTEST_INTERVAL_MILLIS, LONGEST_INTERVAL_MILLIS));
  }

  private long intervalNanos() {
    return interval(plan).toNanos();
  }

  /** Returns when no process of the command is left, and releases the lease. */
  public Ended run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("leasehold-exec");
    Path progress = folder.resolve("progress");
    try (Guards guards = Guards.start(means.guardians(), ticker)) {
      Process child = start(progress);
      ProcessGroup group = means.groups().apply(child.pid());
      try {
        guards.guard(group);
        means.signals().accept(group::signal);
        Files.createFile(progress);
        moved = Files.getLastModifiedTime(progress);
        watchOver(child, new Guarded(group, guards), progress);
        sweep(group);
      } finally {
        // However this ends, the lease is released and the guardian dismissed only when no process
        // is left.
        end(group);
        guards.dismiss();
      }
      return ended(child.waitFor());
    } finally {
      Files.deleteIfExists(progress);
      Files.deleteIfExists(folder);
    }
  }

  private Process start(Path progress) throws IOException {
    List<String> gated = new ArrayList<>(List.of("/bin/sh", "-c", GATE, "leasehold-exec"));
    gated.addAll(plan.command());
    ProcessBuilder builder = new ProcessBuilder(ProcessGroup.inItsOwnSession(gated)).inheritIO();
    Map<String, String> environment = builder.environment();
    plan.environment()
        .forEach(
            (name, value) -> {
              if (value.isEmpty()) {
                environment.remove(name);
              } else {
                environment.put(name, value);
              }
            });
    environment.put("LEASEHOLD_PROGRESS", progress.toString());
    return builder.start();
  }

  private record Guarded(ProcessGroup group, Guards guards) {
    boolean isGuarded() {
      return guards.areGuarding(group);
    }
  }

  private void watchOver(Process child, Guarded guarded, Path progress)
      throws InterruptedException {
    enforcement.trustUntil(ticker.nanos() + lease.trust().toNanos());
    boolean on = true;
    while (on) {
      look(guarded, progress);
      long waitNanos = intervalNanos();
      switch (enforcement.next(ticker.nanos())) {
        case Enforcement.Step.Kill kill -> guarded.group().signal("KILL");
        case Enforcement.Step.Terminate terminate -> guarded.group().signal("TERM");
        case Enforcement.Step.Wait(long nanos) -> waitNanos = Math.min(waitNanos, nanos);
      }
      on = !child.waitFor(waitNanos, TimeUnit.NANOSECONDS);
    }
  }

  /** The time is read before the trust, so that their sum can only be too early. */
  private void look(Guarded group, Path progress) {
    long now = ticker.nanos();
    Duration trust = lease.trust();
    if (!trust.isPositive() || lease.isEnding()) {
      enforcement.over();
      return;
    }
    // Without a guardian, nothing would end the command if this process were stopped now. Until
    // another guardian has started, the command therefore gets no more time than it had.
    guarded = group.isGuarded();
    if (guarded) {
      enforcement.trustUntil(now + trust.toNanos());
    }
    tellProgress(progress);
  }

  private void tellProgress(Path progress) {
    try {
      FileTime last = Files.getLastModifiedTime(progress);
      if (!last.equals(moved)) {
        moved = last;
        lease.progressed();
      }
    } catch (IOException e) {
      // The command has removed the file, and so reports no more progress.
      System.getLogger(LeasedRun.class.getName())
          .log(System.Logger.Level.DEBUG, "no progress can be seen", e);
    } catch (LeaseLostException e) {
      enforcement.over();
    }
  }

  /** Processes that the command has left in its group would go on without a lease. */
  private void sweep(ProcessGroup group) {
    long end = ticker.nanos() + plan.grace().toNanos();
    group.signal("TERM");
    while (group.isAlive() && ticker.nanos() - end < 0 && lease.trust().isPositive()) {
      LockSupport.parkNanos(intervalNanos());
    }
  }

  private void end(ProcessGroup group) {
    group.signal("KILL");
    while (group.isAlive()) {
      LockSupport.parkNanos(intervalNanos());
      group.signal("KILL");
    }
  }

  private Ended ended(int code) throws InterruptedException {
    Optional<LossReason> loss = lease.lossReason();
    if (loss.isEmpty() && enforcement.isTold() && guarded) {
      return new Ended.Lost(new LossReason.Unreachable());
    }
    if (loss.isPresent()) {
      return new Ended.Lost(loss.get());
    }
    return switch (lease.release()) {
      case Release.AlreadyOver(var reason) -> new Ended.Lost(reason);
      default -> enforcement.isTold() ? new Ended.Unguarded() : new Ended.ByItself(code);
    };
  }
}
