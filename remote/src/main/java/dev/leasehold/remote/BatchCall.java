package dev.leasehold.remote;

import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.Question.Answered;
import dev.leasehold.remote.Question.Repeat;
import dev.leasehold.remote.Question.Worth;
import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A batch on its way through servers. It is sent again when no answer came: every command has its
 * request id, or, as a renewal, does no more by being done twice.
 *
 * <p>After an attempt of which nothing was heard, only an answer that the store remembers, or that
 * stays true, is the last word: an acquire that is answered {@code Held} now can still be granted
 * when the attempt before arrives. Such a command is answered as unknown, and its sender asks again
 * or abandons it.
 */
final class BatchCall<C, O> {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final int TOO_MANY = 429;
  private static final int TIMEOUT = 408;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FIRST_SERVER_ERROR = 500;

  private final Servers servers;
  private final Freight<C, O> freight;

  BatchCall(Servers servers, Freight<C, O> freight) {
    this.servers = servers;
    this.freight = freight;
  }

  List<O> send(List<C> batch) throws InterruptedException {
    if (batch.isEmpty()) {
      return List.of();
    }
    int size = batch.size();
    byte[] body = Json.write(out -> freight.write(out, batch));
    Question question =
        Question.post(freight.path(), body, Repeat.HARMLESS)
            .weighedBy(answer -> worth(answer, size));
    return switch (servers.ask(question)) {
      case Reply.Nothing(String why, boolean doubtful) ->
          Collections.nCopies(size, failed(doubtful, why));
      case Reply.Said said when said.isOk() -> believed(batch, said);
      case Reply.Said said -> refused(batch, said);
    };
  }

  private Worth worth(Answered answer, int size) {
    return switch (answer.status()) {
      case OK -> isReadable(answer, size) ? Worth.FINAL : Worth.UNKNOWN;
      case UNAVAILABLE -> isNothingDone(answer, size) ? Worth.NOTHING_DONE : Worth.UNKNOWN;
      // Of the moment, and not of the commands.
      case TOO_MANY, TIMEOUT -> Worth.NOTHING_DONE;
      default -> isRefusal(answer) ? Worth.FINAL : Worth.UNKNOWN;
    };
  }

  /** In a server's own words: what a proxy on the way sends or leaves out is not its word. */
  private static boolean isRefusal(Answered answer) {
    boolean refused = answer.status() >= BAD_REQUEST && answer.status() < FIRST_SERVER_ERROR;
    return refused && answer.problem().isPresent();
  }

  private boolean isReadable(Answered answer, int size) {
    try {
      return freight.read(Json.read(answer.body()), size).size() == size;
    } catch (BadJsonException e) {
      return false;
    }
  }

  /** A server whose store is away says of each command what it knows. */
  private boolean isNothingDone(Answered answer, int size) {
    return isReadable(answer, size)
        && freight.read(Json.read(answer.body()), size).stream().allMatch(freight::isNothingDone);
  }

  private List<O> believed(List<C> batch, Reply.Said said) {
    List<O> told = freight.read(said.members(), batch.size());
    return said.doubtful() ? afterSilence(batch, told) : told;
  }

  /** What answers are worth when an earlier attempt may still arrive. */
  private List<O> afterSilence(List<C> batch, List<O> told) {
    List<O> outcomes = new ArrayList<>(told.size());
    for (int i = 0; i < told.size(); i++) {
      O outcome = told.get(i);
      outcomes.add(
          freight.isLastWord(batch.get(i), outcome)
              ? outcome
              : failed(
                  true,
                  "a first attempt was not answered, and may still be carried out; a second one was"
                      + " answered "
                      + outcome));
    }
    return outcomes;
  }

  /** One that is refused does not spoil its neighbours: they are sent without it. */
  private List<O> refused(List<C> batch, Reply.Said said) throws InterruptedException {
    if (batch.size() > 1 && said.status() != UNAUTHORIZED) {
      int half = batch.size() / 2;
      List<O> outcomes = new ArrayList<>(send(List.copyOf(batch.subList(0, half))));
      outcomes.addAll(send(List.copyOf(batch.subList(half, batch.size()))));
      return said.doubtful() ? afterSilence(batch, outcomes) : outcomes;
    }
    String why = said.complaint();
    O outcome = said.doubtful() ? failed(true, why) : freight.rejected(why);
    return Collections.nCopies(batch.size(), outcome);
  }

  private O failed(boolean doubtful, String why) {
    return freight.failed(doubtful ? Certainty.UNKNOWN : Certainty.NOT_APPLIED, why);
  }
}
