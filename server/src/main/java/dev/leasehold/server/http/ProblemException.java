package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.wire.Problem;
import java.util.stream.Stream;

/** A request that cannot be answered as the caller asked. */
final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  private ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }

  static ProblemException of(int status, String title, String detail) {
    return new ProblemException(new Problem(status, title, detail));
  }

  static ProblemException badInput(String detail) {
    return of(Status.BAD_REQUEST, "Bad input", detail);
  }

  static ProblemException forbidden(String detail) {
    return of(Status.FORBIDDEN, "Not allowed", detail);
  }

  static ProblemException notFound(String detail) {
    return of(Status.NOT_FOUND, "Not found", detail);
  }

  static ProblemException tooLarge(int max) {
    return of(
        Status.TOO_LARGE, "Too large", "the body of such a request has at most " + max + " bytes");
  }

  static ProblemException tooMany(String what) {
    return of(Status.TOO_MANY, "Too many", what);
  }

  /** For reads. The reason is only in the server's log, because it may name machines. */
  static ProblemException storeAway() {
    return of(Status.UNAVAILABLE, "Store away", "the store does not answer: ask again in a moment");
  }

  /**
   * For commands that have failed. The reason is only in the server's log, because it may name
   * machines.
   */
  static ProblemException failed(Stream<Certainty> certainties) {
    return certainties.allMatch(Certainty.NOT_APPLIED::equals)
        ? of(
            Status.UNAVAILABLE,
            "Store away",
            "the store did not do it, and nothing was changed; the server's log says why")
        : unanswered();
  }

  /** For requests that may have changed something. */
  static ProblemException unanswered() {
    return of(
        Status.UNAVAILABLE,
        "Store away",
        "the store does not answer; what was asked may have happened: ask again under the same"
            + " request id");
  }
}
