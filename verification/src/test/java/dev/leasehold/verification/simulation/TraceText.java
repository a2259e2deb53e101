package dev.leasehold.verification.simulation;

import dev.leasehold.kernel.engine.AcquireRequest;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Commands and outcomes in a few words, for the trace. */
final class TraceText {
  private TraceText() {}

  static String of(List<Command> batch) {
    return batch.stream().map(TraceText::of).collect(Collectors.joining(", "));
  }

  static String of(AcquireRequest wanted) {
    String after = wanted.expected().map(expected -> " after token " + expected.token()).orElse("");
    return wanted.key() + after;
  }

  static String of(List<Command> batch, List<Outcome> outcomes) {
    return IntStream.range(0, batch.size())
        .mapToObj(i -> of(batch.get(i)) + " -> " + of(outcomes.get(i)))
        .collect(Collectors.joining(", "));
  }

  private static String of(Command command) {
    String verb = command.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    String detail =
        switch (command) {
          case Command.Acquire c ->
              shortened(c.requestId())
                  + c.expected().map(expected -> " after token " + expected.token()).orElse("");
          case Command.Abandon c -> shortened(c.requestId());
          case Command.Renew c -> c.token().toString();
          case Command.Release c -> c.token() + " " + shortened(c.requestId());
          case Command.HandOver c -> c.token() + " to " + c.heir().holder();
          default -> "";
        };
    return verb + " " + command.key() + " " + detail;
  }

  private static String of(Outcome outcome) {
    return outcome instanceof Outcome.Granted granted
        ? "Granted " + granted.grant().token() + " for " + granted.remainingMillis() + " ms"
        : outcome.toString();
  }

  /** The end of the id, since all ids of a process begin alike. */
  private static String shortened(RequestId id) {
    return id.text().substring(Math.max(0, id.text().length() - 6));
  }
}
