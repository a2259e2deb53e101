package dev.leasehold.remote.wire;

import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** The answer to a batch: a result for each command, in their order. */
final class Results {
  private Results() {}

  /** Writes one result. */
  interface Writer<A, R> {
    void write(JsonOut out, A asked, R result);
  }

  /** Results of the first of what was asked, as many as there are. */
  static <A, R> void write(
      JsonOut out, List<? extends A> asked, List<R> results, Writer<A, R> writer) {
    Iterator<? extends A> next = asked.iterator();
    out.list("results", results, (item, result) -> writer.write(item, next.next(), result));
  }

  /** As many results as there are commands. */
  static <R> List<R> read(Members members, int commands, Function<Members, R> reader) {
    List<Members> results = members.list("results", Commands.MAX_ITEMS);
    if (results.size() != commands) {
      throw members.refusal("results", "has " + results.size() + " for " + commands + " commands");
    }
    return results.stream().map(reader).toList();
  }
}
