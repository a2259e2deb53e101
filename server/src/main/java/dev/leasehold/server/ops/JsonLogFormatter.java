package dev.leasehold.server.ops;

import dev.leasehold.remote.wire.Json;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * A log record as one line of JSON, for log collectors: {@code
 * java.util.logging.ConsoleHandler.formatter = dev.leasehold.server.ops.JsonLogFormatter}.
 */
public final class JsonLogFormatter extends Formatter {
  private static final int MOST_CAUSES = 20;

  @Override
  public String format(LogRecord record) {
    byte[] line =
        Json.write(
            out -> {
              out.text("at", record.getInstant().toString());
              out.text("level", record.getLevel().getName());
              out.text("logger", Optional.ofNullable(record.getLoggerName()).orElse(""));
              out.text("message", Optional.ofNullable(formatMessage(record)).orElse(""));
              Optional.ofNullable(record.getThrown())
                  .ifPresent(thrown -> out.text("thrown", describe(thrown)));
            });
    return new String(line, StandardCharsets.UTF_8) + "\n";
  }

  /** Each cause in turn, with the place that it was thrown at. Causes can form a cycle. */
  private static String describe(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    Optional<Throwable> next = Optional.of(thrown);
    for (int i = 0; i < MOST_CAUSES && next.isPresent(); i++) {
      StackTraceElement[] stack = next.get().getStackTrace();
      text.append(text.isEmpty() ? "" : "; caused by ").append(next.get());
      if (stack.length > 0) {
        text.append(" at ").append(stack[0]);
      }
      next = Optional.ofNullable(next.get().getCause());
    }
    return text.toString();
  }
}
