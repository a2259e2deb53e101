package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was seen of a store, kept outside its database: a text file in a folder {@code witness}, by
 * the store's id. It is replaced as a whole, so a reader finds the old one or the new one.
 */
final class WitnessFile {
  private static final String FIRST_LINE = "leasehold witness 1";
  private static final String LAST_LINE = "end";
  private static final int LINES_BEFORE_GRANTS = 5;

  /** A file lock is the process's: its threads keep each other out by this. */
  private static final Object IN_THIS_PROCESS = new Object();

  private final Path folder;
  private final Path file;

  WitnessFile(Path folder, String storeId) {
    this.folder = folder;
    this.file = folder.resolve("witness").resolve(storeId);
  }

  /** Whether the database is a file in the folder, or below it. */
  boolean isTogetherWith(Connection database) throws SQLException {
    String url = database.getMetaData().getURL();
    String prefix = "jdbc:sqlite:";
    if (!url.startsWith(prefix)) {
      return false;
    }
    String name = url.substring(prefix.length()).replaceFirst("^file:", "").split("[?]", 2)[0];
    return real(Path.of(name)).startsWith(real(folder));
  }

  /** Where a path leads, by whatever links. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  /** Empty where there is no file. */
  Optional<Witnessed> read() {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(parse(Files.readAllLines(file, StandardCharsets.UTF_8)));
    } catch (IOException | RuntimeException e) {
      throw new StoreUnusableException(
          "the witness file "
              + file
              + " cannot be read ("
              + e.getMessage()
              + "): bring it back from a copy, or find the highest incarnation in any log or mark,"
              + " delete the file and run leasehold incarnation advance --above that",
          e);
    }
  }

  private static Witnessed parse(List<String> lines) {
    if (lines.size() <= LINES_BEFORE_GRANTS || !lines.getFirst().equals(FIRST_LINE)) {
      throw new IllegalArgumentException("its first line is not '" + FIRST_LINE + "'");
    }
    if (!lines.getLast().equals(LAST_LINE)) {
      throw new IllegalArgumentException("its last line is not '" + LAST_LINE + "'");
    }
    Map<LeaseKey, Token> grants = new LinkedHashMap<>();
    for (String line : lines.subList(LINES_BEFORE_GRANTS, lines.size() - 1)) {
      String[] words = value(line, "grant").split(" ", 2);
      grants.put(new LeaseKey(words[1]), new Token(Long.parseLong(words[0])));
    }
    return new Witnessed(
        Integer.parseInt(value(lines.get(1), "incarnation")),
        Long.parseLong(value(lines.get(2), "wal")),
        value(lines.get(3), "system"),
        Long.parseLong(value(lines.get(4), "timeline")),
        grants);
  }

  private static String value(String line, String name) {
    if (!line.startsWith(name + " ")) {
      throw new IllegalArgumentException("'" + line + "' where '" + name + "' is expected");
    }
    return line.substring(name.length() + 1);
  }

  private static String text(Witnessed seen) {
    StringBuilder text = new StringBuilder(FIRST_LINE);
    text.append("\nincarnation ").append(seen.incarnation());
    text.append("\nwal ").append(seen.walPosition());
    text.append("\nsystem ").append(seen.systemId());
    text.append("\ntimeline ").append(seen.timeline());
    seen.grants()
        .forEach((key, token) -> text.append("\ngrant " + token.value() + " " + key.text()));
    return text.append('\n').append(LAST_LINE).append('\n').toString();
  }

  /** Adds what was seen to what other processes have written; returns it all. */
  Witnessed add(Witnessed seen) {
    synchronized (IN_THIS_PROCESS) {
      try {
        Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
        try (FileChannel guard =
                FileChannel.open(
                    folder.resolve(file.getFileName() + ".lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            FileLock lock = guard.lock()) {
          assert lock.isValid();
          Optional<Witnessed> before = read();
          Witnessed all = before.map(known -> known.and(seen)).orElse(seen);
          if (!before.equals(Optional.of(all))) {
            replace(folder, text(all));
          }
          return all;
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the witness file " + file + " cannot be written", e);
      }
    }
  }

  /** Whatever happens meanwhile, the file is whole. */
  private void replace(Path folder, String text) throws IOException {
    Path next = folder.resolve(file.getFileName() + ".new");
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
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
