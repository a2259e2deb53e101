package dev.leasehold.remote;

import dev.leasehold.remote.Question.Answered;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;

/** What came of a question, after all that could be tried. */
sealed interface Reply {
  /**
   * A server has answered.
   *
   * @param doubtful whether an attempt before, of which nobody has heard, may still be carried out
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, and compared with nothing
  record Said(int status, byte[] body, boolean doubtful) implements Reply {
    private static final int OK = 200;
    private static final int FIRST_SERVER_ERROR = 500;

    boolean isOk() {
      return status == OK;
    }

    Members members() {
      return Json.read(body);
    }

    /** What the server has against it. */
    RemoteStoreException refusal() {
      return status >= FIRST_SERVER_ERROR
          ? RemoteStoreException.unreachable(complaint())
          : RemoteStoreException.refused(complaint());
    }

    String complaint() {
      return new Answered(status, body).complaint();
    }
  }

  /**
   * None has.
   *
   * @param doubtful whether it may have been carried out, or still may
   */
  record Nothing(String why, boolean doubtful) implements Reply {}

  /** The answer that is one. */
  default Members orThrow() {
    return switch (this) {
      case Said said when said.isOk() -> said.members();
      case Said said -> throw said.refusal();
      case Nothing nothing -> throw RemoteStoreException.unreachable(nothing.why());
    };
  }
}
