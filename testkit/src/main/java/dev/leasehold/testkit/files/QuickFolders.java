package dev.leasehold.testkit.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Folders for tests, in memory where the machine has room for them. A database there does what it
 * does on a disk, every fsync included, and a killed process loses as little: only a machine that
 * loses its power would show the difference, and no test pulls that plug. {@code
 * -Dleasehold.test.disk=true} keeps to the disk.
 */
public final class QuickFolders implements TempDirFactory {
  private static final Path MEMORY = Path.of("/dev/shm");

  /** Containers often have 64 MiB there. */
  private static final long ROOM_BYTES = 4L << 30;

  /** A new, empty folder; the caller deletes it. */
  public static Path make(String prefix) throws IOException {
    return hasRoomInMemory()
        ? Files.createTempDirectory(MEMORY, prefix)
        : Files.createTempDirectory(prefix);
  }

  private static boolean hasRoomInMemory() throws IOException {
    return !Boolean.getBoolean("leasehold.test.disk")
        && Files.isWritable(MEMORY)
        && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM_BYTES;
  }

  @Override
  public Path createTempDirectory(
      AnnotatedElementContext elementContext, ExtensionContext extensionContext)
      throws IOException {
    return make("leasehold-");
  }
}
