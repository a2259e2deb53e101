package dev.leasehold.remote;

import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Problem;
import java.util.Optional;
import java.util.function.Function;

/**
 * Something to be asked of whichever server answers.
 *
 * @param pathAndQuery what follows the server's address
 * @param body what is posted; empty: it is a GET
 * @param repeat whether it may be asked again when nobody knows what became of it
 * @param weighing what an answer is worth
 */
record Question(
    String pathAndQuery, Optional<byte[]> body, Repeat repeat, Function<Answered, Worth> weighing) {
  private static final int OK = 200;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;

  /** Whether a question may be asked twice. */
  enum Repeat {
    /** Asking again does nothing more: a query, or commands under request ids. */
    HARMLESS,
    /** Each time that it is asked, it may be done. */
    NEVER
  }

  /** What an answer is worth. */
  enum Worth {
    /** That is it, for good or ill. */
    FINAL,
    /** This server did nothing, and another one may. */
    NOTHING_DONE,
    /** This server may have done it, or not: another one can tell. */
    UNKNOWN
  }

  /** What a server said. */
  @SuppressWarnings("ArrayRecordComponent") // read once, and compared with nothing
  record Answered(int status, byte[] body) {
    /** Empty: it is none, or it is not a leasehold server that says so, but something before it. */
    Optional<Problem> problem() {
      try {
        return Optional.of(Problem.read(Json.read(body)))
            .filter(said -> said.status() == status)
            .filter(said -> !said.title().isEmpty() && !said.detail().isEmpty());
      } catch (BadJsonException e) {
        return Optional.empty();
      }
    }

    String complaint() {
      return problem()
          .map(said -> "the server answers " + status + ": " + said.detail())
          .orElse(
              "what is there answers "
                  + status
                  + ", and not as a leasehold server does; is the address right?");
    }
  }

  static Question get(String pathAndQuery) {
    return new Question(pathAndQuery, Optional.empty(), Repeat.HARMLESS, Question::usually);
  }

  static Question post(String path, byte[] body, Repeat repeat) {
    return new Question(path, Optional.of(body), repeat, Question::usually);
  }

  Question weighedBy(Function<Answered, Worth> newWeighing) {
    return new Question(pathAndQuery, body, repeat, newWeighing);
  }

  private static Worth usually(Answered answer) {
    return switch (answer.status()) {
      case TOO_MANY -> Worth.NOTHING_DONE;
      case UNAVAILABLE -> Worth.UNKNOWN;
      case OK -> Worth.FINAL;
      default -> answer.problem().isPresent() ? Worth.FINAL : Worth.UNKNOWN;
    };
  }
}
