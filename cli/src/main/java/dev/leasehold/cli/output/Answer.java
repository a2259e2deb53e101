package dev.leasehold.cli.output;

import dev.leasehold.remote.wire.JsonOut;
import java.util.function.Consumer;

/** The result of a command, for scripts and for people. */
public record Answer(Exit exit, Consumer<JsonOut> json, String sentence) {
  /** Adds members to the JSON. */
  public Answer with(Consumer<JsonOut> more) {
    return new Answer(exit, json.andThen(more), sentence);
  }
}
