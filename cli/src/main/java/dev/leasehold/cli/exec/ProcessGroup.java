package dev.leasehold.cli.exec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Processes that are signalled together. Java cannot start a process in a group of its own, so a
 * program of the system does: {@code setsid}, or {@code perl} where there is none.
 */
record ProcessGroup(long id) {
  /** A command in a session, and so in a group, of its own; the group has the id of its process. */
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

  /** Whether anybody was there to get it. */
  boolean signal(String name) {
    try {
      Process kill =
          new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " -" + id)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return kill.waitFor() == 0;
    } catch (IOException e) {
      throw new IllegalStateException("no signal could be sent to the group " + id, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  boolean isAlive() {
    return signal("0");
  }
}
