package dev.leasehold.remote.api;

import static dev.leasehold.remote.api.Member.flag;
import static dev.leasehold.remote.api.Member.list;
import static dev.leasehold.remote.api.Member.number;
import static dev.leasehold.remote.api.Member.text;
import static dev.leasehold.remote.api.Member.texts;
import static dev.leasehold.remote.api.Member.words;
import static dev.leasehold.remote.api.Operation.BATCH_BODY;
import static dev.leasehold.remote.api.Operation.SMALL_BODY;
import static dev.leasehold.remote.api.Parameter.path;
import static dev.leasehold.remote.api.Parameter.query;
import static dev.leasehold.remote.api.Vocabulary.AFTER;
import static dev.leasehold.remote.api.Vocabulary.AT;
import static dev.leasehold.remote.api.Vocabulary.BY;
import static dev.leasehold.remote.api.Vocabulary.CERTAINTY;
import static dev.leasehold.remote.api.Vocabulary.CURRENT;
import static dev.leasehold.remote.api.Vocabulary.HOLDER;
import static dev.leasehold.remote.api.Vocabulary.INSTANCE_ID;
import static dev.leasehold.remote.api.Vocabulary.KEY;
import static dev.leasehold.remote.api.Vocabulary.LAST;
import static dev.leasehold.remote.api.Vocabulary.LAST_EVENT_ID;
import static dev.leasehold.remote.api.Vocabulary.LIMIT;
import static dev.leasehold.remote.api.Vocabulary.OWN_INSTANCE;
import static dev.leasehold.remote.api.Vocabulary.PROGRESS;
import static dev.leasehold.remote.api.Vocabulary.REASON;
import static dev.leasehold.remote.api.Vocabulary.REMAINING;
import static dev.leasehold.remote.api.Vocabulary.REQUEST_ID;
import static dev.leasehold.remote.api.Vocabulary.TOKEN;
import static dev.leasehold.remote.api.Vocabulary.TTL;
import static dev.leasehold.remote.api.Vocabulary.WHY;

import dev.leasehold.remote.api.Schema.Basic;

/** {@code /v1/leases}. */
public final class LeaseApi {
  private static final String PATH = "/v1/leases/";

  private static final Member PURPOSE = text("purpose").optional();
  private static final Member REGION = text("region").optional();
  private static final Member ATTRIBUTES = texts("attributes").optional();
  private static final Member STALL =
      number("stallMs").about("how long the grant may be renewed without progress").optional();
  private static final Member OUTCOME =
      words(
          "outcome",
          "granted",
          "held",
          "closed",
          "changed",
          "ended",
          "abandoned",
          "renewed",
          "released",
          "handedOver",
          "revoked",
          "free",
          "reopened",
          "notClosed",
          "lost",
          "rejected",
          "failed");

  private static final Parameter PREFIX = query("prefix", "of the keys that are meant");
  private static final Parameter DETAIL =
      query("detail", "record: with all that the store has on record");

  static final Shape EXPECTED = Shape.of("Expected", INSTANCE_ID, TOKEN);
  static final Shape ACQUIRE_BODY =
      Shape.of(
          "Acquire",
          KEY,
          HOLDER.about("who, for people"),
          OWN_INSTANCE,
          TTL,
          number("waitMs")
              .about("how long to wait for it, up to 60000; then renew before trusting")
              .optional(),
          PURPOSE,
          REGION,
          REQUEST_ID,
          STALL,
          ATTRIBUTES,
          Member.of("expect", EXPECTED)
              .about("take it only if this is still the last grant")
              .optional());
  static final Shape RENEWAL = Shape.of("Renewal", KEY, TOKEN, TTL.optional(), PROGRESS);
  static final Shape RENEW_BODY = Shape.of("Renew", OWN_INSTANCE, list("leases", RENEWAL));
  static final Shape OWN = Shape.of("Own", KEY, TOKEN, OWN_INSTANCE, REQUEST_ID);
  static final Shape ABANDON_BODY =
      Shape.of("Abandon", KEY, text("requestId").about("of that acquire"), OWN_INSTANCE);
  static final Shape HAND_OVER =
      OWN.and("HandOver", text("to").about("the heir, for people"), INSTANCE_ID.as("toInstanceId"));
  static final Shape REVOKE_BODY =
      Shape.of(
          "Revoke",
          KEY,
          WHY,
          flag("now").about("opens at once, relying on the fence alone").optional(),
          flag("keepClosed").about("stays closed until it is reopened").optional(),
          BY,
          REQUEST_ID);
  static final Shape REOPEN_BODY = Shape.of("Reopen", KEY, BY, REQUEST_ID);
  static final Shape COMMAND =
      Shape.of(
          "Command",
          words("verb", LeaseVerb.words())
              .about(
                  "beside it, the members of the operation that ends in this word; renew takes"
                      + " instance beside key"),
          KEY,
          TOKEN.optional(),
          HOLDER.optional(),
          OWN_INSTANCE.optional(),
          TTL.optional(),
          PROGRESS,
          PURPOSE,
          REGION,
          REQUEST_ID,
          STALL,
          ATTRIBUTES,
          Member.of("expect", EXPECTED).optional(),
          text("to").optional(),
          INSTANCE_ID.as("toInstanceId").optional(),
          WHY.optional(),
          flag("now").optional(),
          flag("keepClosed").optional(),
          BY);
  public static final Shape COMMANDS = Shape.of("Batch", list("commands", COMMAND));

  /** Why a grant is over. */
  static final Shape LOSS = Shape.of("Loss", REASON, BY, WHY.optional(), CURRENT, LAST);

  static final Shape GRANT =
      Shape.of(
          "Grant",
          TOKEN,
          INSTANCE_ID,
          REQUEST_ID.about("of the acquire"),
          HOLDER,
          PURPOSE,
          REGION,
          ATTRIBUTES,
          TTL,
          STALL,
          number("grantedAtMs"),
          number("renewedAtMs"),
          number("expiresAtMs"),
          PROGRESS,
          number("movedAtMs").about("when progress grew last"),
          words("standing", "OPEN", "LAPSED", "ENDED"),
          number("endedAtMs").optional(),
          REASON.optional(),
          BY,
          WHY.optional(),
          CURRENT,
          LAST);
  private static final Member GRANT_IN_FULL =
      Member.of("grant", GRANT).about("with detail=record").optional();

  static final Shape GRANTED =
      Shape.of(
          "Granted",
          words("outcome", "granted"),
          KEY,
          TOKEN,
          HOLDER,
          INSTANCE_ID,
          TTL,
          new Member("remainingMs", Basic.NUMBER, REMAINING.about(), true),
          GRANT_IN_FULL);
  static final Shape RESULT =
      Shape.of(
          "Result",
          KEY.optional(),
          OUTCOME,
          TOKEN.optional(),
          HOLDER.optional(),
          INSTANCE_ID.optional(),
          TTL.optional(),
          REMAINING,
          text("lockedBy").about("of held: what has the row locked").optional(),
          REASON.optional(),
          BY,
          WHY.optional(),
          CURRENT,
          LAST,
          CERTAINTY,
          GRANT_IN_FULL);
  public static final Shape RESULTS = Shape.results("Results", RESULT);
  static final Shape OUTCOME_ALONE = Shape.of("Outcome", OUTCOME, TOKEN.optional());

  static final Shape CLOSED = Shape.of("Closed", REASON, REMAINING);
  static final Shape CLOSURE = Shape.of("Closure", REASON, number("untilMs").optional());
  static final Shape BAR = Shape.of("Bar", INSTANCE_ID, REASON, number("untilMs"));
  static final Shape RECORD =
      Shape.of(
          "Record",
          number("last").about("the highest token that was granted"),
          GRANT_IN_FULL.about(""),
          Member.of("closure", CLOSURE).optional(),
          Member.of("bar", BAR).about("who may not have the key for now").optional(),
          number("writtenAtMs"),
          AT);
  static final Shape LEASE =
      Shape.of(
          "Lease",
          KEY,
          words("state", "held", "expired", "closed", "free"),
          HOLDER.optional(),
          INSTANCE_ID.optional(),
          PURPOSE,
          REGION,
          TOKEN,
          TTL.optional(),
          REMAINING,
          PROGRESS,
          ATTRIBUTES,
          Member.of("ended", LOSS).about("how the last grant ended").optional(),
          Member.of("closed", CLOSED).optional(),
          Member.of("record", RECORD).about("with detail=record").optional());
  public static final Shape PAGE = Shape.page("Page", LEASE);

  public static final Operation ACQUIRE =
      command(LeaseVerb.ACQUIRE, "Take a key that is free, or whose grant has expired")
          .body(
              ACQUIRE_BODY,
              SMALL_BODY,
              """
              {"key": "lock/nightly-report", "holder": "worker-1",
               "instance": "0123456789abcdef0123456789abcdef", "ttlMs": 30000,
               "purpose": "report", "requestId": "take-1", "attributes": {"build": "42"}}\
              """)
          .answers(GRANTED);
  public static final Operation RENEW =
      Operation.post(PATH + LeaseVerb.RENEW.word(), Access.HOLD, "Extend one's grants")
          .parameters(DETAIL)
          .body(
              RENEW_BODY,
              BATCH_BODY,
              """
              {"instance": "0123456789abcdef0123456789abcdef",
               "leases": [{"key": "lock/nightly-report", "token": 750966441771009,
                           "progress": 1}]}\
              """)
          .answers(RESULTS);
  public static final Operation RELEASE =
      command(LeaseVerb.RELEASE, "Release the caller's grant")
          .body(
              OWN,
              SMALL_BODY,
              """
              {"key": "lock/nightly-report", "token": 750966441771009,
               "instance": "0123456789abcdef0123456789abcdef", "requestId": "give-1"}\
              """)
          .answers(OUTCOME_ALONE);
  public static final Operation ABANDON =
      command(LeaseVerb.ABANDON, "Give up an acquire whose answer never came")
          .body(
              ABANDON_BODY,
              SMALL_BODY,
              """
              {"key": "lock/nightly-report", "requestId": "take-2",
               "instance": "0123456789abcdef0123456789abcdef"}\
              """)
          .answers(OUTCOME_ALONE);
  public static final Operation HANDOVER =
      command(
              LeaseVerb.HANDOVER,
              "Pass the caller's grant on, with no moment in which the key is free")
          .body(
              HAND_OVER,
              SMALL_BODY,
              """
              {"key": "lock/nightly-report", "token": 750966441771009,
               "instance": "0123456789abcdef0123456789abcdef", "to": "worker-2", "toInstanceId":
               "3be9c2ac2cd5d8e9fa1a6ec3bcd4b3e0a9a6e5f6c7d8091a2b3c4d5e6f708192"}\
              """)
          .answers(OUTCOME_ALONE);
  public static final Operation REVOKE =
      command(LeaseVerb.REVOKE, "Take a key away from its holder (operators)")
          .body(
              REVOKE_BODY,
              SMALL_BODY,
              """
              {"key": "lock/nightly-report", "why": "the report is wrong", "now": true}\
              """)
          .answers(OUTCOME_ALONE);
  public static final Operation REOPEN =
      command(LeaseVerb.REOPEN, "Open a key that was closed until an operator acts (operators)")
          .body(REOPEN_BODY, SMALL_BODY, "{\"key\": \"lock/nightly-report\"}")
          .answers(OUTCOME_ALONE);
  public static final Operation BATCH =
      Operation.post(
              PATH + "batch", Access.ANY_KEY, "Many commands, answered in order; each stands alone")
          .parameters(DETAIL)
          .body(
              COMMANDS,
              BATCH_BODY,
              """
              {"commands": [
                {"verb": "acquire", "key": "leader/billing", "holder": "worker-1",
                 "instance": "0123456789abcdef0123456789abcdef", "ttlMs": 30000},
                {"verb": "revoke", "key": "leader/billing", "why": "to show it"}]}\
              """)
          .answers(RESULTS);

  public static final Operation WATCH =
      Operation.get(
              PATH + "watch",
              Access.READ,
              "Changes as server-sent events granted, released, expired, revoked, superseded, each"
                  + " with key and token; reset and a listing come first where Last-Event-ID cannot"
                  + " be resumed")
          .parameters(PREFIX, LAST_EVENT_ID)
          .answers(200, "a stream", "text/event-stream", Basic.TEXT)
          .problems(429);
  public static final Operation LIST =
      Operation.get("/v1/leases", Access.READ, "List records, a page at a time")
          .parameters(PREFIX.example("lock/"), AFTER, LIMIT, DETAIL)
          .answers(200, "found", PAGE);
  public static final Operation ONE =
      Operation.get(PATH + "{key*}", Access.READ, "One record")
          .parameters(path("kind", "lock"), path("name", "nightly-report"), DETAIL)
          .answers(200, "found", LEASE);

  private LeaseApi() {}

  private static Operation command(LeaseVerb verb, String summary) {
    return Operation.post(PATH + verb.word(), verb.access(), summary)
        .parameters(DETAIL)
        .problems(409);
  }
}
