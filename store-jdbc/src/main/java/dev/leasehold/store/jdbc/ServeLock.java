package dev.leasehold.store.jdbc;

import dev.leasehold.fence.Texts;
import dev.leasehold.kernel.Explanation;
import dev.leasehold.kernel.InstanceId;
import dev.leasehold.kernel.Operator;
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
 * Lets one process at a time serve a SQLite file, by a lock of the operating system on a file
 * beside it. The system gives it up when the process ends, however it ends, and not while it is
 * stopped.
 *
 * <p>So whoever gets it knows that the one before is dead, and need not wait for what that one
 * held: every server writes the instance ids that it holds leases under into the file before it
 * acquires anything. The next one {@linkplain #revokeLeftovers revokes} the grants of those ids,
 * and no others: processes that use the file without serving it are not concerned.
 *
 * <pre>{@code
 * take -> open the store -> revokeLeftovers -> announce(instance.id()) -> Leases.on(store)
 *     .instance(instance).open()
 * }</pre>
 */
public final class ServeLock implements AutoCloseable {
  private static final Operator OPERATOR = new Operator("file-lock");

  /**
   * What this process holds. The system's lock is the process's: it does not keep a second server
   * of the same process out, and would be gone as soon as that one closes the file.
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

  /** What came of trying to be the one that serves a file. */
  public sealed interface Taking {
    /** It is this process, until the lock is closed. */
    record Taken(ServeLock lock) implements Taking {}

    /** Another one does; a sentence that names it. */
    record Refused(String why) implements Taking {}
  }

  /**
   * Takes the lock if nobody has it, and says in its file who this is.
   *
   * @param holder who serves, for people
   * @param since since when, for people
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
      // Behind what the dead one wrote: should this one die too, its successor needs that as well.
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
            .orElse("another process, which has not said yet who it is");
    return new Taking.Refused(
        database
            + " is being served by "
            + who
            + ": one process at a time can serve a SQLite file");
  }

  /**
   * Takes away what the dead server held, at once: its fence is all that could still matter, and it
   * is raised. Says how many grants that were. It is done once, before {@link #announce}.
   */
  public synchronized int revokeLeftovers(JdbcLeaseStore store) {
    requireOpen();
    Set<InstanceId> ofTheDead = leftovers.orElse(Set.of());
    int revoked =
        ofTheDead.isEmpty()
            ? 0
            : store.revokeGrantsOf(
                ofTheDead,
                OPERATOR,
                new Explanation(
                    "its server has died: " + self.forPeople() + " serves the file now"));
    try {
      // Only now: were it forgotten before and this process died in between, nobody would do it.
      file.replaceBy(self);
    } catch (IOException e) {
      throw new UncheckedIOException("the lock file " + path + " cannot be written", e);
    }
    leftovers = Optional.empty();
    return revoked;
  }

  /**
   * Writes down, for whoever comes after this process's death, that it holds leases under this id.
   * It is on the disk when this returns; nothing may be acquired under the id before.
   */
  public synchronized void announce(InstanceId id) {
    requireOpen();
    if (leftovers.isPresent()) {
      throw new IllegalStateException("first the leftovers of the server before are revoked");
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
   * Gives the lock up. Leases are given back before; what is not runs out by itself. The file
   * stays, empty: were it removed, two processes could lock two files of the same name.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (file) {
      // What a dead server left behind stays on record until somebody has revoked it.
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
