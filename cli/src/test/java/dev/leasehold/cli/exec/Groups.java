package dev.leasehold.cli.exec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Process groups to experiment with, and faulty shells. */
final class Groups {
  static final String NO_SHELL = "/no/such/shell";

  private Groups() {}

  /** Ignores TERM, as does its child. */
  static Process stubborn(Path folder) throws IOException {
    String script = "trap '' TERM; sleep 300 & echo up > up.new; mv up.new up; wait; wait";
    List<String> command = ProcessGroup.inItsOwnSession(List.of("/bin/sh", "-c", script));
    Process leader = new ProcessBuilder(command).directory(folder.toFile()).start();
    while (!Files.exists(folder.resolve("up"))) {
      Thread.onSpinWait();
    }
    return leader;
  }

  /** A shell that claims to have sent the first KILL, and sends only later ones. */
  static String forgetful(Path folder) {
    String text =
        """
        #!/bin/sh
        case $2 in *KILL*) [ -e forgotten ] || { : > forgotten; exit 0; } ;; esac
        exec /bin/sh "$@"
        """
            .replace("forgotten", folder.resolve("forgotten").toString());
    try {
      Path shell = Files.writeString(folder.resolve("forgetful"), text);
      Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwxr-xr-x"));
      return shell.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
