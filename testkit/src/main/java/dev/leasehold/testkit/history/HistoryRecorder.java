package dev.leasehold.testkit.history;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes down what one process does. Thread-safe; costs a record and a reading of the ticker.
 *
 * <p>All recorders of a run need one time. In one process {@link Ticker#system()} will do; for
 * several on one machine a ticker that shows {@link System#nanoTime()} and nothing else, since the
 * system's one jumps in each process by itself.
 */
public final class HistoryRecorder {
  private final String process;
  private final Ticker ticker;
  private final EventSink sink;
  private final AtomicLong calls = new AtomicLong();

  /**
   * A recorder for one process.
   *
   * @param process visible ASCII without spaces; a process that starts again takes another name
   */
  public HistoryRecorder(String process, Ticker ticker, EventSink sink) {
    if (!process.matches("[!-~]{1,64}")) {
      throw new IllFormedException(
          "process '" + process + "': a name has 1 to 64 visible ASCII characters, no spaces");
    }
    this.process = process;
    this.ticker = ticker;
    this.sink = sink;
  }

  /** To be called before the command is sent: what was never written down was never sent. */
  public OpenCall call(Ask ask) {
    long number = calls.incrementAndGet();
    sink.add(new Event.Called(process, number, ask, ticker.nanos()));
    return result -> sink.add(new Event.Returned(process, number, result, ticker.nanos()));
  }

  /** Writes down what a target did, a log entry or a fault. */
  public void saw(Event event) {
    sink.add(event);
  }

  /** The time to put into events of targets and faults. */
  public long nanos() {
    return ticker.nanos();
  }

  /** A call that waits for its answer. One that is never answered counts as unknown. */
  @FunctionalInterface
  public interface OpenCall {
    /** To be called before the answer is used. */
    void returned(Result result);
  }
}
