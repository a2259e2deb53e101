package dev.leasehold.remote;

import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.Request.Answered;
import dev.leasehold.remote.Request.Repeat;
import dev.leasehold.remote.Request.Worth;
import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A batch that is sent to servers. It is sent again if no answer came: each command has its request
 * id, or is a renewal, which may be applied twice without harm.
 *
 * <p>After an attempt without an answer, a later answer is final only if the store remembers it or
 * it stays true: an acquire that is answered {@code Held} now can still be granted when the earlier
 * attempt arrives. Such a command is answered as unknown, and its sender asks again or abandons it.
 */
final class BatchCall<K, C, O> {
  /** The largest command without a payload has a few KiB, and a body may have 32 MiB. */
  private static final int MAX_AT_ONCE = 1_000;

  /** Base 64 adds a third to payloads. */
  private static final long MAX_BYTES_AT_ONCE = 16L << 20;

  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final int TOO_MANY = 429;
  private static final int TIMEOUT = 408;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FIRST_SERVER_ERROR = 500;

  private final Servers servers;
  private final BatchCodec<K, C, O> codec;

  BatchCall(Servers servers, BatchCodec<K, C, O> codec) {
    this.servers = servers;
    this.codec = codec;
  }

  /** Sends any number of commands, in batches that a server accepts. */
  List<O> apply(List<C> commands) throws InterruptedException {
    List<O> outcomes = new ArrayList<>(commands.size());
    List<C> piece = new ArrayList<>();
    long bytes = 0;
    for (C command : commands) {
      long more = codec.kind().bytes(command);
      if (piece.size() == MAX_AT_ONCE || bytes + more > MAX_BYTES_AT_ONCE) {
        outcomes.addAll(send(List.copyOf(piece)));
        piece.clear();
        bytes = 0;
      }
      piece.add(command);
      bytes += more;
    }
    outcomes.addAll(send(List.copyOf(piece)));
    return outcomes;
  }

  private List<O> send(List<C> batch) throws InterruptedException {
    if (batch.isEmpty()) {
      return List.of();
    }
    int size = batch.size();
    byte[] body = Json.write(out -> codec.writer().accept(out, batch));
    Request request =
        Request.post(codec.path(), body, Repeat.HARMLESS).weighedBy(answer -> worth(answer, size));
    return switch (servers.ask(request)) {
      case Reply.NoAnswer(String why, boolean doubtful) ->
          Collections.nCopies(size, failed(doubtful, why));
      case Reply.Answer answer when answer.isOk() -> believed(batch, answer);
      case Reply.Answer answer -> refused(batch, answer);
    };
  }

  private Worth worth(Answered answer, int size) {
    return switch (answer.status()) {
      case OK -> isReadable(answer, size) ? Worth.FINAL : Worth.UNKNOWN;
      case UNAVAILABLE -> isNothingDone(answer, size) ? Worth.NOTHING_DONE : Worth.UNKNOWN;
      // A state of the server at this moment, not a fault of the commands.
      case TOO_MANY, TIMEOUT -> Worth.NOTHING_DONE;
      default -> isRefusal(answer) ? Worth.FINAL : Worth.UNKNOWN;
    };
  }

  /**
   * Only a server's own answer is a refusal: a proxy's answer, or members that it dropped, are not.
   */
  private static boolean isRefusal(Answered answer) {
    boolean refused = answer.status() >= BAD_REQUEST && answer.status() < FIRST_SERVER_ERROR;
    return refused && answer.problem().isPresent();
  }

  private boolean isReadable(Answered answer, int size) {
    try {
      return outcomes(Json.read(answer.body()), size).size() == size;
    } catch (BadJsonException e) {
      return false;
    }
  }

  private List<O> outcomes(Members answer, int size) {
    return codec.reader().apply(answer, size);
  }

  /** A server whose store is unreachable reports for each command whether it was applied. */
  private boolean isNothingDone(Answered answer, int size) {
    return isReadable(answer, size)
        && outcomes(Json.read(answer.body()), size).stream()
            .allMatch(BlockOutcome.Failed::isNotApplied);
  }

  private List<O> believed(List<C> batch, Reply.Answer answer) {
    List<O> told = outcomes(answer.members(), batch.size());
    return answer.doubtful() ? afterSilence(batch, told) : told;
  }

  /** The outcomes to report when an earlier attempt may still arrive. */
  private List<O> afterSilence(List<C> batch, List<O> told) {
    List<O> outcomes = new ArrayList<>(told.size());
    for (int i = 0; i < told.size(); i++) {
      O outcome = told.get(i);
      outcomes.add(
          codec.kind().isFinal(batch.get(i), outcome)
              ? outcome
              : failed(
                  true,
                  "a first attempt was not answered, and may still be carried out; a second one was"
                      + " answered "
                      + outcome));
    }
    return outcomes;
  }

  /** A refused command does not affect the others: they are sent without it. */
  private List<O> refused(List<C> batch, Reply.Answer answer) throws InterruptedException {
    if (batch.size() > 1 && answer.status() != UNAUTHORIZED) {
      int half = batch.size() / 2;
      List<O> outcomes = new ArrayList<>(send(List.copyOf(batch.subList(0, half))));
      outcomes.addAll(send(List.copyOf(batch.subList(half, batch.size()))));
      return answer.doubtful() ? afterSilence(batch, outcomes) : outcomes;
    }
    String why = answer.complaint();
    O outcome = answer.doubtful() ? failed(true, why) : codec.kind().rejected(why);
    return Collections.nCopies(batch.size(), outcome);
  }

  private O failed(boolean doubtful, String why) {
    return codec.kind().failed(doubtful ? Certainty.UNKNOWN : Certainty.NOT_APPLIED, why);
  }
}
