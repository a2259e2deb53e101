package dev.leasehold.cli.exec;

import dev.leasehold.kernel.spi.Ticker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Stops a group of processes when its lease ends and the wrapper does not, because it is stopped or
 * dead. It runs in a session of its own, so that signals to the wrapper's session do not reach it.
 *
 * <p>It asks the wrapper, in numbered questions, how long the lease may be trusted, and counts this
 * time from its question: an old answer from a stopped wrapper therefore extends nothing. Clocks of
 * different processes are not compared.
 *
 * <pre>
 *   guardian: 1             wrapper: trust 1 26999000000     (0: it is over)
 *                           wrapper: guard 4711              (a process group)
 *   guardian: ready         wrapper: done                    (nothing left to guard)
 * </pre>
 */
public final class Guardian {
  private final Wrapper wrapper;
  private final Ticker ticker;
  private final long intervalNanos;
  private final Enforcement enforcement;

  // All guarded by the monitor of this object.
  private Optional<ProcessGroup> group = Optional.empty();
  private boolean done;
  private boolean orphaned;
  private boolean ready;
  private boolean trusted;
  private long number;
  private long askedNanos;
  private boolean answered = true;

  /**
   * The connection to the wrapper, and to the group that the wrapper names.
   *
   * @param groups finds groups by their ids
   */
  record Wrapper(InputStream in, PrintStream out, LongFunction<ProcessGroup> groups) {}

  Guardian(Wrapper wrapper, Ticker ticker, long graceNanos, long intervalNanos) {
    this.wrapper = wrapper;
    this.ticker = ticker;
    this.intervalNanos = intervalNanos;
    this.enforcement = new Enforcement(graceNanos);
    this.askedNanos = ticker.nanos() - intervalNanos;
  }

  /** The arguments are the stop grace and the interval of its questions, both in nanoseconds. */
  public static void main(String[] args) throws InterruptedException {
    Wrapper wrapper = new Wrapper(System.in, System.out, ProcessGroup::of);
    Ticker ticker = Ticker.system();
    new Guardian(wrapper, ticker, Long.parseLong(args[0]), Long.parseLong(args[1])).run();
  }

  /** Returns when nothing is left to guard. */
  void run() throws InterruptedException {
    Thread reader = new Thread(this::listen, "guardian-reader");
    reader.setDaemon(true);
    reader.start();
    guard();
  }

  private void listen() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(wrapper.in(), StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        heard(line.split(" ", -1));
      }
    } catch (IOException e) {
      // Treated like the end of the input: the wrapper is gone.
      System.getLogger(Guardian.class.getName())
          .log(System.Logger.Level.DEBUG, "the wrapper is gone", e);
    } finally {
      orphan();
    }
  }

  private synchronized void orphan() {
    orphaned = true;
    enforcement.noMoreTrust(ticker.nanos());
    notifyAll();
  }

  private synchronized void heard(String[] words) {
    switch (words[0]) {
      case "guard" -> group = Optional.of(wrapper.groups().apply(Long.parseLong(words[1])));
      case "trust" -> trusted(Long.parseLong(words[1]), Long.parseLong(words[2]));
      case "done" -> done = true;
      default -> throw new IllegalArgumentException("what is " + words[0]);
    }
    if (!ready && trusted && group.isPresent()) {
      ready = true;
      say("ready");
    }
    notifyAll();
  }

  private void trusted(long asked, long nanos) {
    if (asked == number) {
      answered = true;
      if (nanos > 0) {
        trusted = true;
        enforcement.trustUntil(askedNanos + nanos);
      } else {
        enforcement.over();
      }
    }
  }

  private synchronized void guard() throws InterruptedException {
    boolean on = true;
    while (on) {
      on = !done && !(orphaned && group.isEmpty()) && isGuarded();
    }
  }

  /** One round; returns whether there is another. */
  @SuppressWarnings("WaitNotInLoop") // the caller's loop: each round checks everything again
  private boolean isGuarded() throws InterruptedException {
    long now = ticker.nanos();
    long waitNanos = intervalNanos;
    switch (enforcement.next(now)) {
      case Enforcement.Step.Kill kill -> {
        signal("KILL");
        if (!isGroupAlive()) {
          return false;
        }
      }
      case Enforcement.Step.Terminate terminate -> signal("TERM");
      case Enforcement.Step.Wait(long nanos) -> waitNanos = Math.min(waitNanos, nanos);
    }
    // Only one question at a time: a stopped wrapper reads nothing, and a full pipe would block the
    // guardian.
    if (answered && !orphaned && now - askedNanos >= intervalNanos) {
      answered = false;
      number++;
      askedNanos = now;
      say(Long.toString(number));
    }
    wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNanos)));
    return true;
  }

  private void signal(String name) {
    group.ifPresent(guarded -> guarded.signal(name));
  }

  private boolean isGroupAlive() {
    return group.map(ProcessGroup::isAlive).orElse(false);
  }

  private void say(String line) {
    wrapper.out().println(line);
    wrapper.out().flush();
  }
}
