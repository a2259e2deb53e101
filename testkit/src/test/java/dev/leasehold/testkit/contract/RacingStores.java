package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What stores get wrong that are right as long as one thread of one process asks them. */
final class RacingStores {
  private RacingStores() {}

  /** A window that another thread is likely to come through. */
  private static void open() {
    for (int i = 0; i < 20; i++) {
      RaceFixture.letOthersRun();
    }
  }

  /** Decides an acquire on a snapshot, and writes if the token is still the one it saw. */
  static final class ComparesTokensOnly extends RuledStore {
    ComparesTokensOnly(Rows rows) {
      super(rows);
    }

    @Override
    Outcome decideAndWrite(Command command) {
      if (!(command instanceof Command.Acquire)) {
        return super.decideAndWrite(command);
      }
      while (true) {
        LeaseRecord seen;
        Map<Remembered.Request, Remembered> effects;
        synchronized (rows) {
          seen = rows.of(command.key());
          effects = Map.copyOf(memory().of(command.key()));
        }
        open();
        Decision decision = decide(seen, effects, command);
        synchronized (rows) {
          if (looksUnchanged(seen, rows.of(command.key()))) {
            return write(command, decision);
          }
        }
      }
    }

    /** A renewal changes neither the token nor whether the grant has ended. */
    private static boolean looksUnchanged(LeaseRecord seen, LeaseRecord now) {
      return seen.last().equals(now.last())
          && seen.closure().equals(now.closure())
          && seen.grant().map(Grant::isCurrent).equals(now.grant().map(Grant::isCurrent));
    }
  }

  /** Looks for an earlier attempt of the request, and locks the row afterwards. */
  static final class LooksUpBeforeItLocks extends RuledStore {
    LooksUpBeforeItLocks(Rows rows) {
      super(rows);
    }

    @Override
    Outcome decideAndWrite(Command command) {
      Map<Remembered.Request, Remembered> effects = Map.copyOf(memory().of(command.key()));
      open();
      synchronized (rows) {
        return write(command, decide(rows.of(command.key()), effects, command));
      }
    }
  }

  /** Purges by what it saw before it locked. */
  static final class PurgesWhatItSaw extends RuledStore {
    PurgesWhatItSaw(Rows rows) {
      super(rows);
    }

    @Override
    Outcome decideAndWrite(Command command) {
      if (!(command instanceof Command.Purge)) {
        return super.decideAndWrite(command);
      }
      LeaseKey key = command.key();
      Decision decision = decide(rows.of(key), memory().of(key), command);
      open();
      synchronized (rows) {
        return write(command, decision);
      }
    }
  }

  /** Asks for the incarnation now and then, and goes by what it was told last. */
  static final class KeepsTheIncarnation extends RuledStore {
    private static final int ASKS_EVERY = 10;

    private final AtomicInteger commands = new AtomicInteger();
    private volatile StoreIncarnation known;

    KeepsTheIncarnation(Rows rows) {
      super(rows);
      this.known = rows.storeIncarnation;
    }

    @Override
    StoreIncarnation storeIncarnation() {
      if (commands.incrementAndGet() % ASKS_EVERY == 0) {
        known = super.storeIncarnation();
      }
      return known;
    }
  }

  /** Remembers requests in the process that they came to. */
  static final class RemembersByHandle extends RuledStore {
    private final Memory own = new Memory();

    RemembersByHandle(Rows rows) {
      super(rows);
    }

    @Override
    Memory memory() {
      return own;
    }
  }
}
