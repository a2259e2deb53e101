package dev.leasehold.remote;

import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Problem;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request that any of the servers may answer.
 *
 * @param pathAndQuery what follows the server's address
 * @param body the body of a POST; if empty, the request is a GET
 * @param repeat whether the request may be sent again when its outcome is unknown
 * @param weighing decides what an answer is worth
 */
record Request(
    String pathAndQuery, Optional<byte[]> body, Repeat repeat, Function<Answered, Worth> weighing) {
  private static final int OK = 200;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;

  /** Whether a request may be sent twice. */
  enum Repeat {
    /** Sending it again has no further effect: a query, or commands under request ids. */
    HARMLESS,
    /** Each time that it is sent, it may be executed. */
    NEVER
  }

  /** What an answer is worth. */
  enum Worth {
    /** The answer is final, be it a success or a refusal. */
    FINAL,
    /** This server did nothing, so another one may be asked. */
    NOTHING_DONE,
    /** This server may have executed the request; another server can tell. */
    UNKNOWN
  }

  /** The answer of a server. */
  @SuppressWarnings("ArrayRecordComponent") // read once, and compared with nothing
  record Answered(int status, byte[] body) {
    /**
     * Empty if the answer is no problem document of a Leasehold server, but for example one of a
     * proxy.
     */
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
              "the program at this address answers "
                  + status
                  + ", and not as a leasehold server does; is the address right?");
    }
  }

  static Request get(String pathAndQuery) {
    return new Request(pathAndQuery, Optional.empty(), Repeat.HARMLESS, Request::usually);
  }

  static Request post(String path, byte[] body, Repeat repeat) {
    return new Request(path, Optional.of(body), repeat, Request::usually);
  }

  Request weighedBy(Function<Answered, Worth> newWeighing) {
    return new Request(pathAndQuery, body, repeat, newWeighing);
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
