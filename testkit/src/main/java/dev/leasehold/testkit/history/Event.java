package dev.leasehold.testkit.history;

/** One line of a history, as it was written down. */
public sealed interface Event
    permits Event.Called, Event.Returned, Event.ClockShown, LogEntry, TargetEvent, Fault {
  /**
   * A client is about to send a command.
   *
   * @param number tells the calls of a process apart
   * @param nanos on a ticker that all processes of the run share
   */
  record Called(String process, long number, Ask ask, long nanos) implements Event {}

  /**
   * From this time on the store's clock shows at least this. Only for runs in which that clock
   * never goes back: with it, what is left of a grant tells when the grant expires.
   *
   * @param nanos read after the clock was set or looked at
   */
  record ClockShown(long nanos, long storeMillis) implements Event {}

  /** The answer to a call, or that there will be none. */
  record Returned(String process, long number, Result result, long nanos) implements Event {}
}
