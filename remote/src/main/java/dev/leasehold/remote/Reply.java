package dev.leasehold.remote;

import dev.leasehold.remote.Request.Answered;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;

/** The result of a request after all attempts. */
sealed interface Reply {
  /**
   * A server's answer.
   *
   * @param doubtful whether an earlier attempt without an answer may still be executed
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, and compared with nothing
  record Answer(int status, byte[] body, boolean doubtful) implements Reply {
    private static final int OK = 200;
    private static final int FIRST_SERVER_ERROR = 500;

    boolean isOk() {
      return status == OK;
    }

    Members members() {
      return Json.read(body);
    }

    /** The server's reason to refuse. */
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
   * No server answered.
   *
   * @param doubtful whether the request was or may still be executed
   */
  record NoAnswer(String why, boolean doubtful) implements Reply {}

  /** The members of a successful answer. */
  default Members orThrow() {
    return switch (this) {
      case Answer answer when answer.isOk() -> answer.members();
      case Answer answer -> throw answer.refusal();
      case NoAnswer none -> throw RemoteStoreException.unreachable(none.why());
    };
  }
}
