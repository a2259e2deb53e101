package dev.leasehold.remote.api;

import static dev.leasehold.remote.api.Member.list;
import static dev.leasehold.remote.api.Member.number;
import static dev.leasehold.remote.api.Member.text;
import static dev.leasehold.remote.api.Parameter.header;
import static dev.leasehold.remote.api.Parameter.query;

import dev.leasehold.remote.api.Schema.Basic;

/** Members and parameters that several blocks share. */
public final class Vocabulary {
  static final Member KEY =
      text("key").about("what is leased, kind/name, up to 255 visible ASCII characters");
  static final Member TOKEN = number("token").about("the fence: grows with every grant of the key");
  static final Member HOLDER = text("holder");
  static final Member OWN_INSTANCE =
      text("instance").about("the holder's secret: 128 random bits in hex, never stored");
  static final Member INSTANCE_ID = text("instanceId").about("SHA-256 of the instance, in hex");
  static final Member REQUEST_ID =
      text("requestId").about("names this request, so that it can be repeated").optional();
  static final Member TTL = number("ttlMs").about("how long from each renewal");
  static final Member REMAINING =
      number("remainingMs").about("how long it lasts without renewal").optional();
  static final Member PROGRESS =
      number("progress").about("a mark that counts when it grows").optional();
  static final Member REASON = text("reason");
  static final Member BY = text("by").about("the operator, for people").optional();
  static final Member WHY = text("why");
  static final Member CURRENT =
      number("current").about("the token that followed, or the mark").optional();
  static final Member LAST =
      number("last")
          .about(
              "with reason UNKNOWN: every later grant of the key will be above it; absent from"
                  + " servers of earlier versions")
          .optional();
  static final Member CERTAINTY =
      Member.words("certainty", "NOT_APPLIED", "UNKNOWN")
          .about("of outcome failed: whether the command may have taken effect")
          .optional();
  static final Member VERSION =
      number("version").about("grows with every write and deletion of the object");
  static final Member AT = number("atMs").about("in the store's time");

  static final Parameter AFTER = query("after", "the next of the page before");
  static final Parameter LIMIT = query("limit", "1 to 1000").example("10");
  static final Parameter LAST_EVENT_ID =
      header("Last-Event-ID", "of a stream: go on after this event");

  /** The members of every problem, and those of the outcome that it contains. */
  public static final Shape PROBLEM =
      Shape.of(
          "Problem",
          text("type"),
          text("title"),
          number("status"),
          text("detail"),
          text("outcome").optional(),
          KEY.optional(),
          HOLDER.optional(),
          INSTANCE_ID.optional(),
          TOKEN.optional(),
          REMAINING,
          REASON.optional(),
          BY,
          WHY.optional(),
          CURRENT,
          LAST,
          CERTAINTY,
          list("results", Basic.ANY)
              .about("of a batch: what became of each command, as in the answer 200")
              .optional(),
          VERSION.optional());

  private static final Shape PURGE =
      Shape.of(
          "Purge",
          number("deadForMs").about("how long ago it must have ended"),
          number("limit").about("1 to 10000, which is also what is taken without it").optional());
  private static final Shape PURGED =
      Shape.of("Purged", number("purged").about("how many records were forgotten"));

  private static final String INSTANCE_ID_ABOUT =
      "the public id of the instance that the token was issued to, compared as well";

  private Vocabulary() {}

  /** By which a command is made under a lease, and can be repeated. */
  static Parameter[] claimHeaders() {
    return new Parameter[] {
      header(
          "Leasehold-Key",
          "with Leasehold-Token: the lease that the write is made under, checked in its"
              + " transaction"),
      header("Leasehold-Token", "the current token of that lease"),
      header("Leasehold-Instance-Id", INSTANCE_ID_ABOUT),
      header("Leasehold-Request-Id", "names this write, so that it can be repeated")
    };
  }

  /** The same, in an item of a batch. */
  static Member[] claimMembers() {
    return new Member[] {
      KEY.about("with token: the lease that the write is made under").optional(),
      TOKEN.optional(),
      text("instanceId").about(INSTANCE_ID_ABOUT).optional(),
      HOLDER.optional(),
      REQUEST_ID
    };
  }

  /** Forgets rows of a block that have been dead for long. */
  static Operation purge(String path, String summary) {
    return Operation.post(path, Access.OPERATE, summary)
        .body(PURGE, Operation.SMALL_BODY, "{\"deadForMs\": 600000, \"limit\": 100}")
        .answers(PURGED);
  }
}
