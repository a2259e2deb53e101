package dev.leasehold.verification.crash;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.verification.engines.Signals;
import dev.leasehold.verification.history.HistoryFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts, watches, stops and kills workers, and leaves no process behind. */
final class WorkerFleet implements AutoCloseable {
  /** The limit of every wait, which only a run that hangs reaches. */
  private static final long TIMEOUT_SECONDS = 120;

  private final List<String> options;
  private final List<Member> members = new ArrayList<>();
  private final List<String> said = new ArrayList<>();

  WorkerFleet() {
    this(List.of("-Xmx128m"));
  }

  /** With options of the virtual machine. */
  WorkerFleet(List<String> options) {
    this.options = List.copyOf(options);
  }

  /** A process with a name. */
  final class Member {
    private final String name;
    private final Process process;
    private final Writer orders;
    private final @Nullable Path history;
    private final List<String> lines = new ArrayList<>();
    private boolean ended;

    private Member(String name, Process process, @Nullable Path history) {
      this.name = name;
      this.process = process;
      this.orders = process.outputWriter(StandardCharsets.UTF_8);
      this.history = history;
      Thread.ofVirtual().start(this::listen);
    }

    private void listen() {
      try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          heard(line, false);
        }
        heard("(ended)", true);
      } catch (IOException e) {
        heard("(cut off: " + e + ")", true);
      }
    }

    private void heard(String line, boolean last) {
      synchronized (WorkerFleet.this) {
        lines.add(line);
        said.add(name + ": " + line);
        ended = last;
        WorkerFleet.this.notifyAll();
      }
    }

    void tell(String order) {
      try {
        orders.write(order + "\n");
        orders.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(name + " does not listen", e);
      }
    }

    /** Waits until it has printed this many such lines since its start. */
    void await(String beginning, int times) {
      awaitThat(
          name + " says '" + beginning + "' " + times + " times", () -> count(beginning) >= times);
    }

    int count(String beginning) {
      synchronized (WorkerFleet.this) {
        return (int) lines.stream().filter(line -> line.startsWith(beginning)).count();
      }
    }

    /** The latest line with this beginning. */
    String last(String beginning) {
      synchronized (WorkerFleet.this) {
        return lines.stream()
            .filter(line -> line.startsWith(beginning))
            .reduce("", (first, second) -> second);
      }
    }

    void stop() {
      Signals.stop(List.of(process.toHandle()));
    }

    void resume() {
      Signals.resume(List.of(process.toHandle()));
    }

    void awaitEnd() {
      awaitThat(name + " has ended", () -> ended);
      process.onExit().join();
    }

    void kill() {
      Signals.kill(List.of(process.toHandle()));
    }

    long pid() {
      return process.pid();
    }

    boolean isAlive() {
      return process.isAlive();
    }
  }

  Member start(Worker.Order order) {
    return start(Worker.class, order.name(), order.history(), order.arguments());
  }

  /** Starts a class with a main method and this process's class path. */
  Member start(Class<?> main, String name, @Nullable Path history, List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path", ""), main.getName()));
    command.addAll(arguments);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      Member member = new Member(name, process, history);
      members.add(member);
      return member;
    } catch (IOException e) {
      throw new UncheckedIOException("no process can be started", e);
    }
  }

  List<Member> alive() {
    return members.stream().filter(Member::isAlive).toList();
  }

  /** How many lines with one of these beginnings all workers have printed. */
  int count(String... beginnings) {
    return Stream.of(beginnings)
        .mapToInt(one -> members.stream().mapToInt(member -> member.count(one)).sum())
        .sum();
  }

  /** Waits for this many more lines than there are now. */
  void awaitMore(int more, String... beginnings) {
    int times = count(beginnings) + more;
    awaitThat(
        "there are " + times + " of " + List.of(beginnings), () -> count(beginnings) >= times);
  }

  /** Waits until another worker holds the key that this one held last. */
  void awaitTakeover(Member dead) {
    String[] held = dead.last("holding").split(" ", -1);
    String key = held[1];
    Token token = Token.parse(held[2]);
    awaitThat(
        key + " is held under a token above " + token,
        () -> heldTokens(key).anyMatch(next -> next.isAbove(token)));
  }

  private Stream<Token> heldTokens(String key) {
    return members.stream()
        .flatMap(member -> List.copyOf(member.lines).stream())
        .filter(line -> line.startsWith("held " + key + " "))
        .map(line -> Token.parse(line.substring(line.lastIndexOf(' ') + 1)));
  }

  /** Starts all of them, and lets them begin together. */
  void begin() {
    members.forEach(member -> member.await("ready", 1));
    members.forEach(member -> member.tell("go"));
  }

  private interface Condition {
    boolean holds();
  }

  private synchronized void awaitThat(String what, Condition condition) {
    long deadline = ticks() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!condition.holds()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - ticks());
      if (left <= 0 || members.stream().allMatch(member -> member.ended)) {
        throw new AssertionError("waited in vain until " + what + "; heard:\n" + tail());
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting until " + what, e);
      }
    }
  }

  private static long ticks() {
    return Ticker.system().nanos();
  }

  synchronized String tail() {
    return String.join("\n", said.subList(Math.max(0, said.size() - 60), said.size()));
  }

  /** Lets the surviving workers end in order, and waits for that. */
  void finish() {
    List<Member> living = alive();
    living.forEach(member -> member.tell("stop"));
    living.forEach(member -> member.await("done", 1));
  }

  /** The events of all workers, including the dead. */
  List<Event> events() {
    List<Event> events = new ArrayList<>();
    for (Member member : members) {
      if (member.history != null && Files.exists(member.history)) {
        events.addAll(HistoryFile.read(member.history));
      }
    }
    return events;
  }

  @Override
  public void close() {
    members.forEach(Member::kill);
  }
}
