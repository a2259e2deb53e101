package dev.leasehold.testkit.contract;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.spi.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Steps as a person reads them: instances and tokens by short names, times by their distance. */
final class LeaseScript {
  private LeaseScript() {}

  static List<String> lines(List<LeaseStep> steps, long startMillis) {
    List<String> lines = new ArrayList<>();
    long clockMillis = startMillis;
    for (LeaseStep step : steps) {
      lines.add(text(step, clockMillis));
      if (step instanceof LeaseStep.SetClock set) {
        clockMillis = set.toMillis();
      }
    }
    return lines;
  }

  private static String text(LeaseStep step, long clockMillis) {
    return switch (step) {
      case LeaseStep.SetClock set ->
          String.format("clock %+d ms, to %d", set.toMillis() - clockMillis, set.toMillis());
      case LeaseStep.Send send ->
          send.batch().stream().map(LeaseScript::text).collect(Collectors.joining("\n  + "));
      case LeaseStep.Sweep sweep -> "purge what is dead for " + sweep.deadForMillis() + " ms";
      case LeaseStep.Raise raise -> raise.advance().toString();
      case LeaseStep.ChangeHandle change -> "go on through the other handle";
      case LeaseStep.ListAll list -> "list all, " + list.pageSize() + " a page";
    };
  }

  private static String text(Command command) {
    String what =
        switch (command) {
          case Command.Acquire c ->
              "acquire "
                  + by(c.instance())
                  + " "
                  + c.requestId()
                  + " for "
                  + c.terms().ttlMillis()
                  + stall(c)
                  + c.expected().map(e -> " expecting " + e).orElse("");
          case Command.Abandon c -> "abandon " + by(c.instance()) + " " + c.requestId();
          case Command.Renew c ->
              "renew "
                  + text(c.token())
                  + " "
                  + by(c.instance())
                  + " for "
                  + c.ttlMillis()
                  + " at mark "
                  + c.progress();
          case Command.Release c ->
              "release " + text(c.token()) + " " + by(c.instance()) + " " + c.requestId();
          case Command.HandOver c ->
              "hand over "
                  + text(c.token())
                  + " "
                  + by(c.instance())
                  + " "
                  + c.requestId()
                  + " to "
                  + text(c.heir().instanceId());
          case Command.Revoke c ->
              "revoke, open " + c.reopening() + ", by " + c.by().name() + " " + c.requestId();
          case Command.Reopen c -> "reopen by " + c.by().name() + " " + c.requestId();
          case Command.EndStalled c -> "end stalled " + text(c.token());
          case Command.EndExpired c -> "end expired " + text(c.token());
          case Command.Purge c -> "purge, dead for " + c.deadForMillis();
        };
    return command.key() + ": " + what;
  }

  private static String stall(Command.Acquire command) {
    long millis = command.terms().stallLimit().millis();
    return millis == 0 ? "" : " stalling at " + millis;
  }

  private static String by(Instance instance) {
    return "by " + text(instance.id());
  }

  private static String text(InstanceId id) {
    return id.text().substring(0, 4);
  }

  private static String text(Token token) {
    return token.incarnation() + "." + token.counter();
  }
}
