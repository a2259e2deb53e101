package dev.leasehold.remote.api;

import static dev.leasehold.remote.api.Member.flag;
import static dev.leasehold.remote.api.Member.list;
import static dev.leasehold.remote.api.Member.number;
import static dev.leasehold.remote.api.Member.text;
import static dev.leasehold.remote.api.Member.words;
import static dev.leasehold.remote.api.Operation.BATCH_BODY;
import static dev.leasehold.remote.api.Operation.SMALL_BODY;
import static dev.leasehold.remote.api.Vocabulary.AT;
import static dev.leasehold.remote.api.Vocabulary.CURRENT;
import static dev.leasehold.remote.api.Vocabulary.HOLDER;
import static dev.leasehold.remote.api.Vocabulary.KEY;
import static dev.leasehold.remote.api.Vocabulary.TOKEN;
import static dev.leasehold.remote.api.Vocabulary.purge;

/** Operations on the store as a whole: its facts, its ledger, the audit and the doctor. */
public final class StoreApi {
  private static final Member HOLD_OFF =
      number("holdOffMs").about("how long nothing is granted yet, after an advance");
  private static final Member INCARNATION =
      number("incarnation").about("in front of every token that is issued now");
  private static final Member KIND = text("kind").about("of leases: what stands before the slash");
  private static final Member TABLE = text("table");

  static final Shape LIMITS =
      Shape.of(
          "Limits",
          number("skewMs"),
          number("memoryMs"),
          number("endingsKept"),
          number("minTtlMs").optional(),
          number("maxTtlMs").optional());
  static final Shape SUSPECTED =
      Shape.of(
          "SuspectedRollback",
          KEY,
          number("brought").about("the token that a caller had"),
          number("last").about("the highest token that the store knew then"),
          AT);
  static final Shape SUSPECTED_ROLLBACKS =
      Shape.of("SuspectedRollbacks", number("count"), list("latest", SUSPECTED));
  static final Shape STORE =
      Shape.of(
          "Store",
          Member.of("limits", LIMITS),
          Member.of("suspectedRollbacks", SUSPECTED_ROLLBACKS),
          text("storeId")
              .about("random, made with the schema; where the store is in a database")
              .optional(),
          INCARNATION.optional(),
          HOLD_OFF.optional(),
          text("systemId")
              .about("PostgreSQL's system identifier, of when the store was made or last advanced")
              .optional());
  static final Shape ADVANCE_BODY =
      Shape.of(
          "Advance",
          number("above").about("an incarnation that the new one is to exceed").optional(),
          number("witness").about("an incarnation that was seen elsewhere").optional(),
          HOLD_OFF.optional(),
          number("witnessedTtlMs").about("the longest ttl that was seen elsewhere").optional(),
          flag("endEveryGrant")
              .about("true: required if no other member is given, because every grant ends")
              .optional());
  static final Shape ADVANCED =
      Shape.of("Advanced", words("outcome", "advanced"), INCARNATION, HOLD_OFF);

  static final Shape TARGET =
      Shape.of(
          "Target",
          text("name"),
          text("check").about("how the target checks tokens"),
          text("whenUnsealed"));
  static final Shape CHARTER =
      Shape.of(
          "Charter",
          KIND,
          text("payload"),
          text("covers"),
          text("anchor"),
          number("ttlMs"),
          number("graceMs").optional(),
          number("stallMs"),
          text("handoff"),
          list("targets", TARGET));
  private static final Member[] REFUSAL = {
    text("id"),
    text("target"),
    KEY,
    TOKEN,
    text("who"),
    words("outcome", "stale", "unissued"),
    CURRENT,
    flag("suspectsRollback")
  };
  static final Shape SEAL =
      Shape.of("Seal", AT, KEY, TOKEN, HOLDER, text("target"), text("failure").optional());
  static final Shape REFUSED = Shape.of("Refusal", AT).and("Refusal", REFUSAL);
  static final Shape ENTRY =
      Shape.of(
          "LedgerEntry",
          words("entry", "chartered", "sealing", "refused"),
          HOLDER.about("of chartered and sealing").optional(),
          Member.of("charter", CHARTER).about("of chartered").optional(),
          KEY.about("of sealing and refused").optional(),
          TOKEN.about("of sealing and refused").optional(),
          text("target").about("of sealing and refused").optional(),
          text("failure").about("of a sealing that failed").optional(),
          text("id").about("of refused, as what follows").optional(),
          text("who").optional(),
          words("outcome", "stale", "unissued").optional(),
          CURRENT,
          flag("suspectsRollback").optional());
  static final Shape CHARTERED =
      Shape.of(
          "Chartered",
          HOLDER,
          number("firstAtMs"),
          number("lastAtMs"),
          Member.of("charter", CHARTER));
  static final Shape LEDGER_READING =
      Shape.of(
          "Ledger",
          AT,
          list("charters", CHARTERED),
          list("seals", SEAL),
          list("refusals", REFUSED),
          list("unguarded", Shape.of("TokenColumn", TABLE, text("column"))),
          list("guarded", Shape.of("GuardedTable", TABLE)),
          list("gaps", Shape.of("GuardGap", TABLE, text("what"), flag("openNow"))));

  static final Shape AUDITED_TARGET =
      Shape.of("AuditedTarget", KIND)
          .and("AuditedTarget", TARGET.members().toArray(Member[]::new))
          .and(
              "AuditedTarget",
              flag("checks").about("whether its check is a fence"),
              Member.of("sealed", SEAL).about("the last one that it took").optional(),
              list("failed", SEAL));
  static final Shape FINDING =
      Shape.of("Finding", text("rule"), text("about"), text("what"), text("remedy"));
  static final Shape AUDIT_REPORT =
      Shape.of(
          "Audit",
          words("outcome", "whole", "holes"),
          AT,
          list(
              "charters",
              CHARTER.and("AuditedCharter", HOLDER, number("firstAtMs"), number("lastAtMs"))),
          list("targets", AUDITED_TARGET),
          list("holes", FINDING),
          list("notes", FINDING),
          list("refusals", REFUSED));
  static final Shape CHECK =
      Shape.of(
          "Check",
          text("check").about("what was looked at, in a word"),
          words("verdict", "ok", "warning", "problem"),
          text("what"),
          text("remedy").about("what to do about it; not where all is well").optional());

  public static final Operation FACTS =
      Operation.get(
              "/v1/store",
              Access.ANY_KEY,
              "Which store this is, and the bounds that it decides with")
          .answers(200, "found", STORE);
  public static final Operation ADVANCE =
      Operation.post(
              "/v1/store/advance",
              Access.OPERATE,
              "Begin a new incarnation, which ends every grant: after a restore, and where tokens"
                  + " went back (operators)")
          .body(ADVANCE_BODY, SMALL_BODY, "{\"above\": 0, \"holdOffMs\": 0}")
          .answers(ADVANCED)
          .problems(409);
  public static final Operation PURGE_ENDED =
      purge(
          "/v1/store/purge",
          "Forget keys whose last grant ended this long ago; the store does so by itself"
              + " (operators)");

  public static final Operation LEDGER =
      Operation.get("/v1/ledger", Access.READ, "All that is written down for the audit")
          .answers(200, "found", LEDGER_READING);
  public static final Operation WRITE_LEDGER =
      Operation.post(
              "/v1/ledger",
              Access.HOLD,
              "Write down charters, seals and refusals for the audit; an entry that is there"
                  + " already is not written again")
          .body(
              Shape.of("LedgerEntries", list("entries", ENTRY)),
              BATCH_BODY,
              """
              {"entries": [{"entry": "sealing", "key": "lock/nightly-report",
                            "token": 750966441771009, "holder": "worker-1",
                            "target": "ledger-table"}]}\
              """)
          .answers(Shape.of("Written", number("written").about("how many entries")));
  public static final Operation AUDIT =
      Operation.get("/v1/audit", Access.READ, "Charters, targets, holes, last refusals")
          .answers(200, "found", AUDIT_REPORT);
  public static final Operation DOCTOR =
      Operation.get(
              "/v1/doctor",
              Access.READ,
              "What this server finds when it looks at itself and at its store")
          .answers(
              200,
              "found",
              Shape.of("Doctor", words("outcome", "sound", "problems"), list("checks", CHECK)));

  private StoreApi() {}
}
