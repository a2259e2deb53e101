package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.health.SharedFile;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The file of a {@link ServeLock}: lines are only appended, and each is on disk before the writer
 * continues. The file is written in place because the lock is on the file and not on its name:
 * replacing the file would remove the lock.
 */
final class ServeLockFile implements AutoCloseable {

  /** Channels that were opened by mistake; closing one would release the process's lock. */
  private static final Queue<FileChannel> KEPT_OPEN = new ConcurrentLinkedQueue<>();

  private final FileChannel channel;
  private final boolean locked;

  private ServeLockFile(FileChannel channel, boolean locked) {
    this.channel = channel;
    this.locked = locked;
  }

  /** Uses the file's real name, so that two paths to the database lead to one lock. */
  static Path beside(Path database) {
    try {
      Path absolute = database.toAbsolutePath();
      if (Files.isSymbolicLink(absolute) && !Files.exists(absolute)) {
        // Now the lock would be beside the link, but beside the file once that exists.
        throw new StoreUnusableException(
            database + " is a link to a file that is not there: make that first");
      }
      absolute =
          Files.exists(absolute)
              ? absolute.toRealPath()
              : absolute.resolveSibling(".").toRealPath().resolve(absolute.getFileName());
      return absolute.resolveSibling(absolute.getFileName() + "-serve.lock");
    } catch (IOException e) {
      throw new StoreUnusableException("there is no folder for " + database + ": make it first", e);
    }
  }

  static ServeLockFile open(Path path) throws IOException {
    boolean isNew = !Files.exists(path);
    FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (isNew) {
        SharedFile.keepName(path);
      }
      return new ServeLockFile(channel, channel.tryLock() != null);
    } catch (OverlappingFileLockException e) {
      // Never closed, not even as garbage: closing would release all locks of the process on the
      // file.
      KEPT_OPEN.add(channel);
      throw new StoreUnusableException(path + " is locked by another part of this process", e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  boolean isLocked() {
    return locked;
  }

  List<ServeLockLine> readAndClose() throws IOException {
    try {
      return read();
    } finally {
      close();
    }
  }

  List<ServeLockLine> read() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
    int read = 0;
    while (read >= 0 && bytes.hasRemaining()) {
      read = channel.read(bytes, bytes.position());
    }
    return ServeLockLine.read(
        new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8));
  }

  /** Starts a new line if the last one is torn, so that this one is not read as part of it. */
  void append(ServeLockLine line) throws IOException {
    String before = channel.size() == 0 ? "" : "\n";
    write(channel.size(), before + ServeLockLine.write(line));
  }

  void replaceBy(ServeLockLine line) throws IOException {
    channel.truncate(0);
    append(line);
  }

  void empty() throws IOException {
    channel.truncate(0);
    channel.force(true);
  }

  private void write(long from, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    long at = from;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
