package dev.leasehold.store.jdbc;

import dev.leasehold.fence.Texts;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.spi.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets one process at a time serve a SQLite file, by an operating system lock on a file beside it.
 * The system releases the lock when the process ends in any way, but not while the process is
 * stopped.
 *
 * <p>No other code may open that file while it is served. On most systems, a process loses its lock
 * as soon as it closes the file once, even if it opened it only to read; and removing or replacing
 * the file removes the lock.
 *
 * <p>So a server that gets the lock knows that the previous server is dead, and need not wait for
 * its leases to expire: before a server acquires anything, it writes the instance ids of its leases
 * into the file. The next server {@linkplain #revokeLeftovers revokes} the grants of those ids and
 * no others: processes that use the file without serving it are not affected.
 *
 * <pre>{@code
 * take -> open the store -> revokeLeftovers -> announce(instance.id()) -> Leases.on(store)
 *     .instance(instance).open()
 * }</pre>
 */
public final class ServeLock implements AutoCloseable {
  private static final Operator OPERATOR = new Operator("file-lock");

  /**
   * The locks of this process. A system lock belongs to the whole process: it does not keep out a
   * second server of the same process, and is lost as soon as that server closes the file.
   */
  private static final Map<Path, ServeLockLine.Serving> HELD_HERE = new ConcurrentHashMap<>();

  private final Path path;
  private final ServeLockFile file;
  private final ServeLockLine.Serving self;
  private Optional<Set<InstanceId>> leftovers;
  private boolean closed;

  private ServeLock(
      Path path, ServeLockFile file, ServeLockLine.Serving self, Set<InstanceId> leftovers) {
    this.path = path;
    this.file = file;
    this.self = self;
    this.leftovers = Optional.of(leftovers);
  }

  /** The result of trying to become the server of a file. */
  public sealed interface Taking {
    /** This process serves the file until the lock is closed. */
    record Taken(ServeLock lock) implements Taking {}

    /** Another process serves it; the sentence names that process. */
    record Refused(String why) implements Taking {}
  }

  /**
   * Takes the lock if it is free, and writes into its file which process serves.
   *
   * @param holder the serving process, for people
   * @param since the start of serving, for people
   */
  public static Taking take(Path database, String holder, Instant since) {
    Texts.requireOneLine("holder", holder, 1, 255);
    ServeLockLine.Serving self =
        new ServeLockLine.Serving(ProcessHandle.current().pid(), since, holder);
    Path path = ServeLockFile.beside(database);
    Optional<ServeLockLine.Serving> here = Optional.ofNullable(HELD_HERE.putIfAbsent(path, self));
    if (here.isPresent()) {
      return refused(database, here);
    }
    boolean taken = false;
    try {
      Taking taking = take(database, path, self);
      taken = taking instanceof Taking.Taken;
      return taking;
    } catch (IOException e) {
      throw new UncheckedIOException("the lock file " + path + " cannot be used", e);
    } finally {
      if (!taken) {
        HELD_HERE.remove(path, self);
      }
    }
  }

  private static Taking take(Path database, Path path, ServeLockLine.Serving self)
      throws IOException {
    ServeLockFile file = ServeLockFile.open(path);
    if (!file.isLocked()) {
      List<ServeLockLine> lines = file.readAndClose();
      return refused(database, ServeLockLine.lastServing(lines));
    }
    boolean taken = false;
    try {
      Set<InstanceId> leftovers = ServeLockLine.instanceIds(file.read());
      // Appended, not replaced: if this process dies too, its successor needs the earlier lines as
      // well.
      file.append(self);
      taken = true;
      return new Taking.Taken(new ServeLock(path, file, self, leftovers));
    } finally {
      if (!taken) {
        file.close();
      }
    }
  }

  private static Taking refused(Path database, Optional<ServeLockLine.Serving> by) {
    String who =
        by.map(ServeLockLine.Serving::forPeople)
            .orElse("another process, which has not written its name yet");
    return new Taking.Refused(
        database
            + " is being served by "
            + who
            + ": one process at a time can serve a SQLite file");
  }

  /**
   * Revokes the dead server's grants at once: only its writes in flight could still matter, and the
   * revocation raises the token above theirs. Returns how many grants that were. It is called once,
   * before {@link #announce}.
   *
   * <p>This also ends grants that the dead server had requested for {@linkplain
   * dev.leasehold.kernel.LeaseRequest#atLeastFor a least time}.
   */
  public synchronized int revokeLeftovers(Store store) {
    requireOpen();
    if (leftovers.isEmpty()) {
      // After the first call, the file contains only what this process has announced.
      return 0;
    }
    Set<InstanceId> ofTheDead = leftovers.get();
    int revoked =
        ofTheDead.isEmpty()
            ? 0
            : store
                .require(JdbcLeaseStore.class, "grants of a dead server")
                .revokeGrantsOf(
                    ofTheDead,
                    OPERATOR,
                    new Explanation(
                        "its server has died: " + self.forPeople() + " serves the file now"));
    try {
      // Forgotten only after the revocation: if this process died in between, its successor could
      // not revoke them.
      file.replaceBy(self);
    } catch (IOException e) {
      throw new UncheckedIOException("the lock file " + path + " cannot be written", e);
    }
    leftovers = Optional.empty();
    return revoked;
  }

  /**
   * Records that this process holds leases under this id, for the server that follows after this
   * process's death. The record is on disk when this returns; only then may the process acquire
   * anything under the id.
   */
  public synchronized void announce(InstanceId id) {
    requireOpen();
    if (leftovers.isPresent()) {
      throw new IllegalStateException("call revokeLeftovers before announce");
    }
    try {
      file.append(new ServeLockLine.HoldsAs(id));
    } catch (IOException e) {
      throw new UncheckedIOException("the lock file " + path + " cannot be written", e);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the lock on " + path + " was given up");
    }
  }

  /**
   * Releases the lock. Leases are given back before; any others expire by themselves. The file
   * stays, empty: if it were removed, two processes could lock two files of the same name.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (file) {
      // A dead server's ids stay on record until a server has revoked their grants.
      if (leftovers.isEmpty()) {
        file.empty();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the lock file " + path + " cannot be closed", e);
    } finally {
      HELD_HERE.remove(path, self);
    }
  }
}
