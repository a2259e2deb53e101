package dev.leasehold.store.jdbc.health;

import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A small text file that several processes share. It is replaced as a whole, so a reader finds the
 * old or the new content, and it is changed under a lock, so that no process overwrites a
 * concurrent change. Its first line says what it is; its last line marks it as complete.
 */
public final class SharedFile {
  private static final System.Logger LOG = System.getLogger(SharedFile.class.getName());

  private static final String LAST_LINE = "end";

  /**
   * A file lock belongs to the whole process, so its threads exclude each other by this monitor.
   */
  private static final Object IN_THIS_PROCESS = new Object();

  private final Path path;

  SharedFile(Path path) {
    this.path = path;
  }

  /** Reads the lines between the first and the last; empty if there is no file. */
  <T> Optional<T> read(List<String> firstLines, Parser<T> parser) {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try {
      List<String> lines = Files.readAllLines(path, StandardCharsets.UTF_8);
      if (lines.isEmpty() || !firstLines.contains(lines.getFirst())) {
        throw new IllegalArgumentException(
            "its first line is not '" + String.join("' or '", firstLines) + "'");
      }
      if (!lines.getLast().equals(LAST_LINE)) {
        throw new IllegalArgumentException("its last line is not '" + LAST_LINE + "'");
      }
      return Optional.of(parser.parse(lines.getFirst(), lines.subList(1, lines.size() - 1)));
    } catch (IOException | RuntimeException e) {
      throw new StoreUnusableException(
          "the witness file "
              + path
              + " cannot be read ("
              + e.getMessage()
              + "): bring it back from a copy, or find the highest incarnation in any log or mark,"
              + " delete the file and run leasehold incarnation advance --above that",
          e);
    }
  }

  /** Parses the lines of a file. */
  interface Parser<T> {
    T parse(String firstLine, List<String> lines);
  }

  /** The value of a line that begins with this word. */
  static String value(String line, String word) {
    if (!line.startsWith(word + " ")) {
      throw new IllegalArgumentException("'" + line + "' where '" + word + "' is expected");
    }
    return line.substring(word.length() + 1);
  }

  /**
   * Changes the file under its lock.
   *
   * @param change gets the current content, and returns the new one
   */
  <T> T change(Content<T> content, Function<Optional<T>, T> change) {
    synchronized (IN_THIS_PROCESS) {
      try {
        Path folder = Files.createDirectories(path.toAbsolutePath().getParent());
        try (FileChannel guard =
                FileChannel.open(
                    folder.resolve(path.getFileName() + ".lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            FileLock lock = guard.lock()) {
          assert lock.isValid();
          Optional<T> before = content.read();
          T after = change.apply(before);
          if (!before.equals(Optional.of(after))) {
            replace(folder, content.text(after) + "\n" + LAST_LINE + "\n");
          }
          return after;
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the witness file " + path + " cannot be written", e);
      }
    }
  }

  /** Reads and writes the content of a file. */
  interface Content<T> {
    Optional<T> read();

    /** All lines but the last. */
    String text(T kept);
  }

  /** Replaces the file atomically, so that a crash leaves the old or the new content. */
  private void replace(Path folder, String text) throws IOException {
    Path next = folder.resolve(path.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    keepName(path);
  }

  /** Writes the folder too, so that a power failure does not take the file's new name away. */
  public static void keepName(Path path) {
    try (FileChannel folder = FileChannel.open(path.resolveSibling("."), StandardOpenOption.READ)) {
      folder.force(true);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "this system does not let folders be written out", e);
    }
  }
}
