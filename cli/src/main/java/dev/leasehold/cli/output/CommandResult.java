package dev.leasehold.cli.output;

import dev.leasehold.remote.wire.JsonOut;
import java.util.function.Consumer;

/** The result of a command, for scripts and for people. */
public record CommandResult(Exit exit, Consumer<JsonOut> json, String sentence) {
  /** Adds members to the JSON. */
  public CommandResult with(Consumer<JsonOut> more) {
    return new CommandResult(exit, json.andThen(more), sentence);
  }
}
