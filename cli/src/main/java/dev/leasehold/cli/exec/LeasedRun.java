package dev.leasehold.cli.exec;

import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseLostException;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.spi.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A command that runs for as long as its lease lasts. */
public final class LeasedRun {
  private static final long LONGEST_INTERVAL_MILLIS = 200;
  private static final long SHORTEST_INTERVAL_MILLIS = 20;
  private static final int INTERVALS_PER_TTL = 50;

  /**
   * Begins when the file of progress is there, which is when the group is guarded; a wrapper that
   * dies before leaves nothing behind.
   */
  private static final String GATE =
      "n=0; while [ ! -e \"$LEASEHOLD_PROGRESS\" ]; do n=$((n+1)); [ $n -gt 1200 ] && exit 125;"
          + " sleep 0.05; done; exec \"$@\"";

  private final Lease lease;
  private final Plan plan;
  private final Ticker ticker;
  private final Enforcement enforcement;
  private FileTime moved = FileTime.fromMillis(0);

  /**
   * What is to be run.
   *
   * @param environment what the command sees beside the environment of this process; an empty
   *     value: it does not see this one
   */
  public record Plan(
      List<String> command, Map<String, String> environment, Duration ttl, Duration grace) {}

  /** How it ended. */
  public sealed interface Ended {
    /** By itself, or by a signal that was passed on. */
    record ByItself(int code) implements Ended {}

    /** It was stopped, or would have been: the lease did not last. */
    record Lost(String why) implements Ended {}
  }

  public LeasedRun(Lease lease, Plan plan, Ticker ticker) {
    this.lease = lease;
    this.plan = plan;
    this.ticker = ticker;
    this.enforcement = new Enforcement(plan.grace().toNanos());
  }

  private Duration interval() {
    long millis = plan.ttl().toMillis() / INTERVALS_PER_TTL;
    return Duration.ofMillis(Math.clamp(millis, SHORTEST_INTERVAL_MILLIS, LONGEST_INTERVAL_MILLIS));
  }

  /** Returns when nothing of the command runs any more, and gives the lease back. */
  public Ended run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("leasehold-exec");
    Path progress = folder.resolve("progress");
    try (GuardianProcess guardian = GuardianProcess.start(lease, plan.grace(), interval())) {
      Process child = start(progress);
      ProcessGroup group = new ProcessGroup(child.pid());
      guardian.guard(group);
      PassedOnSignals.to(name -> passOn(group, name));
      Files.createFile(progress);
      moved = Files.getLastModifiedTime(progress);
      watchOver(child, group, progress);
      sweep(group);
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

  private static void passOn(ProcessGroup group, String name) {
    boolean unused = group.signal(name);
  }

  private void watchOver(Process child, ProcessGroup group, Path progress)
      throws InterruptedException {
    boolean on = true;
    while (on) {
      look(progress);
      long waitNanos = interval().toNanos();
      switch (enforcement.next(ticker.nanos())) {
        case Enforcement.Step.Kill kill -> passOn(group, "KILL");
        case Enforcement.Step.Terminate terminate -> passOn(group, "TERM");
        case Enforcement.Step.Wait(long nanos) -> waitNanos = Math.min(waitNanos, nanos);
      }
      on = !child.waitFor(waitNanos, TimeUnit.NANOSECONDS);
    }
  }

  /** The time is taken before the trust, so that their sum can only be too early. */
  private void look(Path progress) {
    long now = ticker.nanos();
    Duration trust = lease.trust();
    if (trust.isPositive() && !lease.isEnding()) {
      enforcement.trustUntil(now + trust.toNanos());
      tellProgress(progress);
    } else {
      enforcement.over();
    }
  }

  private void tellProgress(Path progress) {
    try {
      FileTime last = Files.getLastModifiedTime(progress);
      if (!last.equals(moved)) {
        moved = last;
        lease.progressed();
      }
    } catch (IOException e) {
      // The command has removed it: then it says nothing more of its progress.
      System.getLogger(LeasedRun.class.getName())
          .log(System.Logger.Level.DEBUG, "no progress can be seen", e);
    } catch (LeaseLostException e) {
      enforcement.over();
    }
  }

  /** What the command has left behind in its group would go on without a lease. */
  private void sweep(ProcessGroup group) {
    long end = ticker.nanos() + plan.grace().toNanos();
    boolean alive = group.signal("TERM");
    while (alive && ticker.nanos() - end < 0 && lease.trust().isPositive()) {
      LockSupport.parkNanos(interval().toNanos());
      alive = group.isAlive();
    }
    if (alive) {
      passOn(group, "KILL");
    }
  }

  private Ended ended(int code) throws InterruptedException {
    if (enforcement.isTold() || lease.lossReason().isPresent()) {
      return new Ended.Lost(
          lease.lossReason().map(Object::toString).orElse("it could not be renewed in time"));
    }
    return switch (lease.release()) {
      case Release.AlreadyOver(var reason) -> new Ended.Lost(reason.toString());
      default -> new Ended.ByItself(code);
    };
  }
}
