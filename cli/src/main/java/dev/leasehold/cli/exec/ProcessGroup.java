package dev.leasehold.cli.exec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Processes that are signalled together. Java cannot start a process in a group of its own, so a
 * program of the system does: {@code setsid}, or {@code perl} where that is missing.
 *
 * <p>A shell sends the signals, to all of them at once. The shell may fail to start, for lack of
 * memory or because the group itself has reached the limit on processes; then the visible processes
 * get TERM and KILL one by one, which starts no process.
 *
 * @param shell the program that sends signals
 */
record ProcessGroup(long id, String shell) {
  private static final System.Logger LOG = System.getLogger(ProcessGroup.class.getName());
  private static final Path PROCESSES = Path.of("/proc");

  static ProcessGroup of(long id) {
    return new ProcessGroup(id, "/bin/sh");
  }

  /**
   * A command line that runs the command in a session, and so in a group, of its own. The group has
   * the id of its process.
   */
  static List<String> inItsOwnSession(List<String> command) {
    List<String> whole = new ArrayList<>();
    if (onPath("setsid").isPresent()) {
      whole.add("setsid");
    } else if (onPath("perl").isPresent()) {
      whole.addAll(List.of("perl", "-MPOSIX", "-e", "POSIX::setsid(); exec @ARGV or exit 127"));
    } else {
      throw new IllegalStateException(
          "there is neither setsid nor perl: one is needed to start a process group");
    }
    whole.addAll(command);
    return whole;
  }

  private static Optional<Path> onPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    return Arrays.stream(path.split(":", -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Sends a signal to the remaining processes. It may have to be sent again: check whether they are
   * gone.
   */
  void signal(String name) {
    if (isTakenFromShell(name)) {
      return;
    }
    switch (name) {
      case "TERM" -> members().forEach(ProcessHandle::destroy);
      case "KILL" -> members().forEach(ProcessHandle::destroyForcibly);
      default -> LOG.log(System.Logger.Level.DEBUG, "SIG{0} has reached no process", name);
    }
  }

  /** Whether the shell started and the signal reached a process. */
  private boolean isTakenFromShell(String name) {
    try {
      Process kill =
          new ProcessBuilder(shell, "-c", "kill -" + name + " -" + id)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      // Not interruptible: a wrapper that is asked to end must still end them.
      return kill.onExit().join().exitValue() == 0;
    } catch (IOException | OutOfMemoryError e) {
      // The virtual machine reports an OutOfMemoryError if it cannot start a thread.
      LOG.log(System.Logger.Level.DEBUG, "no process can be started to send a signal", e);
      return false;
    }
  }

  /** Whether any of them runs. A dead process that its parent has not waited for does not count. */
  boolean isAlive() {
    return hasProcessFiles() ? !members().isEmpty() : isTakenFromShell("0") || !members().isEmpty();
  }

  private static boolean hasProcessFiles() {
    return Files.exists(PROCESSES.resolve("self").resolve("stat"));
  }

  /** The visible members; a process that starts meanwhile is missing. */
  private List<ProcessHandle> members() {
    if (hasProcessFiles()) {
      return ProcessHandle.allProcesses().filter(process -> isMember(process.pid())).toList();
    }
    return ProcessHandle.of(id).stream()
        .flatMap(leader -> Stream.concat(Stream.of(leader), leader.descendants()))
        .filter(ProcessHandle::isAlive)
        .toList();
  }

  /** Parses {@code PID (NAME) STATE PARENT GROUP ...}, where a name can contain any character. */
  private boolean isMember(long pid) {
    String line;
    try {
      line = Files.readString(PROCESSES.resolve(Long.toString(pid)).resolve("stat"));
    } catch (IOException e) {
      LOG.log(System.Logger.Level.TRACE, "gone meanwhile", e);
      return false;
    }
    String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1);
    return fields[2].equals(Long.toString(id)) && !fields[0].equals("Z") && !fields[0].equals("X");
  }
}
