package dev.leasehold.cli.serve;

import dev.leasehold.server.ops.JsonLogFormatter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log of a server on the standard error, in place of the JDK's own format. */
final class ServerLog extends Handler {
  private final PrintWriter out;
  private final Logger root = LogManager.getLogManager().getLogger("");
  private final List<Handler> before = List.of(root.getHandlers());
  private final Optional<Level> levelBefore = Optional.ofNullable(root.getLevel());

  private ServerLog(PrintWriter out) {
    this.out = out;
  }

  /** Applies from now on, until its {@link #end}. */
  static ServerLog open(PrintWriter out, String format, String level) {
    ServerLog log = new ServerLog(out);
    log.setFormatter(format.equals("json") ? new JsonLogFormatter() : new Line());
    log.before.forEach(log.root::removeHandler);
    log.root.addHandler(log);
    log.root.setLevel(
        switch (level) {
          case "error" -> Level.SEVERE;
          case "warning" -> Level.WARNING;
          case "debug" -> Level.FINE;
          default -> Level.INFO;
        });
    return log;
  }

  @Override
  public void publish(LogRecord record) {
    if (isLoggable(record)) {
      out.print(getFormatter().format(record));
      out.flush();
    }
  }

  @Override
  public void flush() {
    out.flush();
  }

  /**
   * Called when the process ends: the earlier handlers need not be restored, unlike in {@link
   * #end}.
   */
  @Override
  public void close() {
    out.flush();
  }

  /** Restores the earlier handlers. */
  void end() {
    root.removeHandler(this);
    before.forEach(root::addHandler);
    levelBefore.ifPresent(root::setLevel);
  }

  /** Time, level, source and message, and below them each cause. */
  private static final class Line extends Formatter {
    @Override
    public String format(LogRecord record) {
      StringBuilder text = new StringBuilder();
      text.append(record.getInstant()).append(' ').append(record.getLevel().getName());
      text.append(' ').append(record.getLoggerName()).append(": ").append(formatMessage(record));
      for (Throwable next = record.getThrown(); next != null; next = next.getCause()) {
        text.append(System.lineSeparator()).append("    by ").append(next);
      }
      return text.append(System.lineSeparator()).toString();
    }
  }
}
