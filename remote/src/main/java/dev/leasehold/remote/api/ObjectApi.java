package dev.leasehold.remote.api;

import static dev.leasehold.remote.api.Member.flag;
import static dev.leasehold.remote.api.Member.list;
import static dev.leasehold.remote.api.Member.number;
import static dev.leasehold.remote.api.Member.text;
import static dev.leasehold.remote.api.Member.words;
import static dev.leasehold.remote.api.Operation.BATCH_BODY;
import static dev.leasehold.remote.api.Operation.PAYLOAD_BODY;
import static dev.leasehold.remote.api.Operation.SMALL_BODY;
import static dev.leasehold.remote.api.Parameter.header;
import static dev.leasehold.remote.api.Parameter.path;
import static dev.leasehold.remote.api.Parameter.query;
import static dev.leasehold.remote.api.Vocabulary.AFTER;
import static dev.leasehold.remote.api.Vocabulary.AT;
import static dev.leasehold.remote.api.Vocabulary.BY;
import static dev.leasehold.remote.api.Vocabulary.CERTAINTY;
import static dev.leasehold.remote.api.Vocabulary.CURRENT;
import static dev.leasehold.remote.api.Vocabulary.KEY;
import static dev.leasehold.remote.api.Vocabulary.LAST_EVENT_ID;
import static dev.leasehold.remote.api.Vocabulary.LIMIT;
import static dev.leasehold.remote.api.Vocabulary.VERSION;
import static dev.leasehold.remote.api.Vocabulary.WHY;
import static dev.leasehold.remote.api.Vocabulary.claimHeaders;
import static dev.leasehold.remote.api.Vocabulary.claimMembers;
import static dev.leasehold.remote.api.Vocabulary.purge;

import dev.leasehold.remote.api.Schema.Basic;

/** {@code /v1/objects} and {@code /v1/bindings}. */
public final class ObjectApi {
  private static final String ONE = "/v1/objects/{type}/{id*}";

  private static final Member TYPE = text("type");
  private static final Member ID = text("id");
  private static final Member PAYLOAD_BASE64 = text("payloadBase64");
  private static final Member CREATED = number("createdAtMs");
  private static final Member UPDATED = number("updatedAtMs");
  private static final Member ONE_OR_ALL =
      ID.about("one object; without it, all of the type").optional();

  private static final Parameter TYPE_IN_PATH = path("type", "sandbox");
  private static final Parameter ID_IN_PATH = path("id", "eu/a1").about("may have slashes");
  private static final Parameter TYPE_IN_QUERY =
      query("type", "whose objects").required().example("sandbox");
  private static final Parameter IF_MATCH =
      header("If-Match", "compare and set: the version in quotes, as ETag gave it");

  static final Shape WRITTEN =
      Shape.of(
          "ObjectWritten",
          words("outcome", "created", "replaced", "deleted"),
          VERSION.about(VERSION.about() + "; also in ETag, in quotes"));
  static final Shape LISTED =
      Shape.of(
          "ListedObject",
          TYPE,
          ID,
          VERSION,
          Member.of("payload", Basic.ANY).about("any JSON, as it was put").optional(),
          PAYLOAD_BASE64.about("of what was not put as JSON").optional(),
          CREATED,
          UPDATED);
  public static final Shape PAGE = Shape.page("ObjectPage", LISTED);
  static final Shape COMMAND =
      Shape.of(
              "ObjectCommand",
              words("verb", "put", "delete"),
              TYPE,
              ID,
              PAYLOAD_BASE64.about("of a put").optional(),
              VERSION.as("ifVersion").about("only if the object is at this version").optional(),
              flag("ifAbsent").about("only if there is no such object").optional())
          .and("ObjectCommand", claimMembers());
  static final Shape COMMANDS = Shape.of("ObjectBatch", list("commands", COMMAND));
  public static final Shape RESULT =
      Shape.of(
          "ObjectResult",
          TYPE,
          ID,
          words(
              "outcome",
              "created",
              "replaced",
              "deleted",
              "absent",
              "conflict",
              "stale",
              "unissued",
              "bound",
              "rejected",
              "failed"),
          VERSION.optional(),
          CURRENT,
          KEY.about("of bound: the key that writes must be made under").optional(),
          CERTAINTY,
          WHY.optional());
  static final Shape NAME = Shape.of("ObjectName", TYPE, ID);
  static final Shape WHOLE = NAME.and("WholeObject", VERSION, PAYLOAD_BASE64, CREATED, UPDATED);
  static final Shape READING =
      NAME.and(
          "ObjectReading",
          words("outcome", "found", "absent"),
          VERSION.optional(),
          PAYLOAD_BASE64.optional(),
          CREATED.optional(),
          UPDATED.optional());
  static final Shape BIND_BODY = Shape.of("Bind", TYPE, ONE_OR_ALL, KEY, BY);
  static final Shape UNBIND_BODY = Shape.of("Unbind", TYPE, ONE_OR_ALL);
  static final Shape BINDING_CHANGED =
      Shape.of(
          "BindingChanged",
          words("outcome", "bound", "unbound", "free"),
          text("before").about("the key that it was bound to").optional());
  static final Shape BINDING =
      Shape.of("Binding", TYPE, ONE_OR_ALL, KEY, text("by").about(BY.about()), AT);

  public static final Operation PUT =
      Operation.put(ONE, Access.HOLD, "Write an object")
          .parameters(TYPE_IN_PATH, ID_IN_PATH, IF_MATCH)
          .parameters(header("If-None-Match", "*: only if there is none"))
          .parameters(claimHeaders())
          .body(Basic.ANY, PAYLOAD_BODY, "{\"state\": \"ready\"}")
          .answers(200, "replaced", WRITTEN)
          .answers(201, "created", WRITTEN)
          .tagged()
          .problems(409, 412);
  public static final Operation DELETE =
      Operation.delete(ONE, Access.HOLD, "Delete an object")
          .parameters(TYPE_IN_PATH, ID_IN_PATH, IF_MATCH)
          .parameters(claimHeaders())
          .answers(200, "deleted", WRITTEN)
          .tagged()
          .problems(404, 409, 412);
  public static final Operation GET =
      Operation.get(ONE, Access.READ, "Read an object")
          .parameters(TYPE_IN_PATH, ID_IN_PATH)
          .parameters(header("If-None-Match", "the version that the caller has, in quotes"))
          .answers(200, "as it was put", Basic.ANY)
          .answers(304, "the caller has it", "", Basic.ANY)
          .tagged();
  public static final Operation LIST =
      Operation.get(
              "/v1/objects/{type}",
              Access.READ,
              "List objects of a type, by their ids, a page at a time")
          .parameters(TYPE_IN_PATH, AFTER, LIMIT)
          .answers(200, "found", PAGE);
  public static final Operation ALL =
      Operation.get(
              "/v1/objects",
              Access.READ,
              "The objects of a type in full, a page at a time; or what happens to them, as"
                  + " server-sent events: hints, which may repeat; Last-Event-ID resumes, or reset"
                  + " comes, and then the type is to be listed")
          .parameters(TYPE_IN_QUERY, AFTER, LIMIT)
          .parameters(query("watch", "true: a stream instead"), LAST_EVENT_ID)
          .answers(
              200,
              "a page; with watch, a stream of events written, deleted and reset, each of the first"
                  + " two with type, id and version",
              Shape.page("WholeObjectPage", WHOLE))
          .answers(200, "", "text/event-stream", Basic.TEXT)
          .problems(429);
  public static final Operation BATCH =
      Operation.post(
              "/v1/objects/batch",
              Access.HOLD,
              "Many writes of objects, payloads of any bytes in base 64, answered in order; each"
                  + " stands alone, and each can be repeated under its requestId")
          .body(
              COMMANDS,
              BATCH_BODY,
              """
              {"commands": [
                {"verb": "put", "type": "sandbox", "id": "eu/a2", "payloadBase64": "AAECAw==",
                 "ifAbsent": true, "requestId": "r-1"},
                {"verb": "delete", "type": "sandbox", "id": "eu/none"}]}\
              """)
          .answers(Shape.results("ObjectResults", RESULT));
  public static final Operation READ =
      Operation.post(
              "/v1/objects/read",
              Access.READ,
              "Many objects in full, in the order asked; the first ones, where all of them would be"
                  + " more than 8 MiB")
          .body(
              Shape.of("ObjectNames", list("objects", NAME)),
              PAYLOAD_BODY,
              """
              {"objects": [{"type": "sandbox", "id": "eu/a2"},
                           {"type": "sandbox", "id": "eu/none"}]}\
              """)
          .answers(Shape.results("ObjectReadings", READING));
  public static final Operation PURGE_DELETED =
      purge(
          "/v1/objects/purge",
          "Forget objects that were deleted this long ago; the store does so by itself"
              + " (operators)");

  public static final Operation BIND =
      Operation.post(
              "/v1/objects/bind",
              Access.OPERATE,
              "Bind a type, or one object, to a key: writes must bring its current token"
                  + " (operators)")
          .body(
              BIND_BODY,
              SMALL_BODY,
              """
              {"type": "sandbox", "key": "leader/sandboxes", "by": "olga"}\
              """)
          .answers(BINDING_CHANGED);
  public static final Operation BINDINGS =
      Operation.get(
              "/v1/bindings",
              Access.READ,
              "The bindings of a type and their keys: the whole type first, then by id")
          .parameters(TYPE_IN_QUERY, query("after", "the id of the last one before"), LIMIT)
          .parameters(query("watch", "taken, and not used"))
          .answers(200, "found", Shape.of("Bindings", list("items", BINDING)));
  public static final Operation UNBIND =
      Operation.post("/v1/objects/unbind", Access.OPERATE, "Take a binding away (operators)")
          .body(UNBIND_BODY, SMALL_BODY, "{\"type\": \"sandbox\"}")
          .answers(BINDING_CHANGED);

  private ObjectApi() {}
}
