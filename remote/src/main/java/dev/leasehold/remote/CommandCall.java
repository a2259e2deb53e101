package dev.leasehold.remote;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.Question.Answered;
import dev.leasehold.remote.Question.Repeat;
import dev.leasehold.remote.Question.Worth;
import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Outcomes;
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
final class CommandCall {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FIRST_SERVER_ERROR = 500;

  /** The largest command has a few KiB, and a body may have 32 MiB. */
  private static final int MAX_AT_ONCE = 1_000;

  private final Servers servers;

  CommandCall(Servers servers) {
    this.servers = servers;
  }

  List<Outcome> apply(List<Command> batch) throws InterruptedException {
    List<Outcome> outcomes = new ArrayList<>(batch.size());
    List<Command> piece = new ArrayList<>();
    for (Command command : batch) {
      if (isOfStores(command)) {
        outcomes.addAll(send(piece));
        piece.clear();
        outcomes.add(new Outcome.Rejected("only a store sends this command, and to itself"));
      } else {
        piece.add(command);
      }
      if (piece.size() == MAX_AT_ONCE) {
        outcomes.addAll(send(piece));
        piece.clear();
      }
    }
    outcomes.addAll(send(piece));
    return outcomes;
  }

  private static boolean isOfStores(Command command) {
    return command instanceof Command.EndStalled || command instanceof Command.Purge;
  }

  private List<Outcome> send(List<Command> piece) throws InterruptedException {
    if (piece.isEmpty()) {
      return List.of();
    }
    int size = piece.size();
    byte[] body = Json.write(out -> Commands.writeBatch(out, piece));
    Question question =
        Question.post("/v1/leases/batch?detail=record", body, Repeat.HARMLESS)
            .weighedBy(answer -> worth(answer, size));
    return switch (servers.ask(question)) {
      case Reply.Nothing(String why, boolean doubtful) -> all(size, failed(doubtful, why));
      case Reply.Said said when said.isOk() -> believed(said, size);
      case Reply.Said said -> refused(piece, said);
    };
  }

  private static Worth worth(Answered answer, int size) {
    if (answer.status() == UNAVAILABLE) {
      return isNothingDone(answer, size) ? Worth.NOTHING_DONE : Worth.UNKNOWN;
    }
    boolean readable = answer.status() != OK || isReadable(answer, size);
    return answer.status() >= FIRST_SERVER_ERROR || !readable ? Worth.UNKNOWN : Worth.FINAL;
  }

  private static boolean isReadable(Answered answer, int size) {
    try {
      return Outcomes.readResults(Json.read(answer.body()), size).size() == size;
    } catch (BadJsonException e) {
      return false;
    }
  }

  /** A server whose store is away says of each command what it knows. */
  private static boolean isNothingDone(Answered answer, int size) {
    return isReadable(answer, size)
        && Outcomes.readResults(Json.read(answer.body()), size).stream()
            .allMatch(
                outcome ->
                    outcome instanceof Outcome.Failed failed
                        && failed.certainty() == Certainty.NOT_APPLIED);
  }

  private static List<Outcome> believed(Reply.Said said, int size) {
    List<Outcome> told = Outcomes.readResults(said.members(), size);
    return said.doubtful() ? told.stream().map(CommandCall::afterSilence).toList() : told;
  }

  /** What an answer is worth when an earlier attempt may still arrive. */
  private static Outcome afterSilence(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Held o -> notTheLastWord(outcome);
      case Outcome.Closed o -> notTheLastWord(outcome);
      case Outcome.Changed o -> notTheLastWord(outcome);
      case Outcome.Free o -> notTheLastWord(outcome);
      case Outcome.NotClosed o -> notTheLastWord(outcome);
      case Outcome.Rejected o -> notTheLastWord(outcome);
      case Outcome.Failed o -> failed(true, o.detail());
      default -> outcome;
    };
  }

  private static Outcome notTheLastWord(Outcome outcome) {
    return failed(
        true,
        "a first attempt was not answered, and may still be carried out; a second one was answered "
            + outcome);
  }

  /** One that is refused does not spoil its neighbours: they are sent without it. */
  private List<Outcome> refused(List<Command> piece, Reply.Said said) throws InterruptedException {
    boolean forAll = said.status() == UNAUTHORIZED || said.status() < BAD_REQUEST;
    if (piece.size() > 1 && !forAll) {
      int half = piece.size() / 2;
      List<Outcome> outcomes = new ArrayList<>(send(List.copyOf(piece.subList(0, half))));
      outcomes.addAll(send(List.copyOf(piece.subList(half, piece.size()))));
      return said.doubtful() ? outcomes.stream().map(CommandCall::afterSilence).toList() : outcomes;
    }
    String why = said.complaint();
    return all(piece.size(), said.doubtful() ? failed(true, why) : new Outcome.Rejected(why));
  }

  private static List<Outcome> all(int size, Outcome outcome) {
    return Collections.nCopies(size, outcome);
  }

  private static Outcome failed(boolean doubtful, String why) {
    return new Outcome.Failed(doubtful ? Certainty.UNKNOWN : Certainty.NOT_APPLIED, why);
  }
}
