package dev.leasehold.verification.engines;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file system that only one process and its children see, so that a test can fill it up without
 * harm to others. It needs Linux and its namespaces, but no rights of root.
 */
record SmallDisk(Path folder, int megabytes) {
  /** In a second user namespace, since PostgreSQL refuses to run as what is root in the first. */
  private static final String MOUNT =
      "mount -t tmpfs -o size=\"$1\",mode=0700 small \"$2\" && shift 2 && exec unshare -U \"$@\"";

  /** Starts, with the disk in place, the command that is added to this one. */
  List<String> command() {
    return List.of("unshare", "-rm", "sh", "-c", MOUNT, "sh", megabytes + "m", folder.toString());
  }

  boolean isPossible() throws InterruptedException {
    List<String> trying = new ArrayList<>(command());
    trying.add("true");
    try {
      return new ProcessBuilder(trying).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
