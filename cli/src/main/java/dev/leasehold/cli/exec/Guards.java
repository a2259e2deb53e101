package dev.leasehold.cli.exec;

import dev.leasehold.kernel.spi.Ticker;
import java.io.IOException;
import java.time.Duration;

/** Keeps a group guarded: starts a guardian, and another one whenever it dies. */
final class Guards implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Guards.class.getName());

  /**
   * If a guardian cannot run, the next probably cannot either, so there is a pause between
   * attempts.
   */
  private static final long PAUSE_NANOS = Duration.ofMillis(200).toNanos();

  private final Start start;
  private final Ticker ticker;
  private GuardianProcess guardian;
  private long startedNanos;

  /** Starts a guardian. */
  interface Start {
    GuardianProcess another() throws IOException;
  }

  private Guards(Start start, Ticker ticker, GuardianProcess guardian) {
    this.start = start;
    this.ticker = ticker;
    this.guardian = guardian;
    this.startedNanos = ticker.nanos();
  }

  static Guards start(Start start, Ticker ticker) throws IOException {
    return new Guards(start, ticker, start.another());
  }

  /** Returns once the group is guarded. */
  void guard(ProcessGroup group) throws InterruptedException {
    guardian.take(group);
    guardian.awaitReady();
  }

  /** Whether the group is guarded now; starts another guardian if none runs. */
  boolean areGuarding(ProcessGroup group) {
    if (!guardian.isAlive() && ticker.nanos() - startedNanos >= PAUSE_NANOS) {
      startedNanos = ticker.nanos();
      try {
        GuardianProcess next = start.another();
        guardian.close();
        guardian = next;
        guardian.take(group);
      } catch (IOException | OutOfMemoryError e) {
        LOG.log(System.Logger.Level.DEBUG, "no guardian can be started", e);
      }
    }
    return guardian.isGuarding();
  }

  /** Called when nothing of the group is left. */
  void dismiss() {
    guardian.dismiss();
  }

  @Override
  public void close() {
    guardian.close();
  }
}
