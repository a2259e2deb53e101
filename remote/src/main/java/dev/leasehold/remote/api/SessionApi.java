package dev.leasehold.remote.api;

import static dev.leasehold.remote.api.Member.list;
import static dev.leasehold.remote.api.Member.number;
import static dev.leasehold.remote.api.Member.text;
import static dev.leasehold.remote.api.Parameter.query;
import static dev.leasehold.remote.api.Vocabulary.AFTER;
import static dev.leasehold.remote.api.Vocabulary.HOLDER;
import static dev.leasehold.remote.api.Vocabulary.INSTANCE_ID;
import static dev.leasehold.remote.api.Vocabulary.KEY;
import static dev.leasehold.remote.api.Vocabulary.LIMIT;
import static dev.leasehold.remote.api.Vocabulary.TOKEN;
import static dev.leasehold.remote.api.Vocabulary.TTL;

import dev.leasehold.remote.api.Schema.Basic;

/** {@code /v1/sessions}. */
public final class SessionApi {
  static final Shape SESSION =
      Shape.of(
          "Session",
          KEY.about("session/ and a random name"),
          TOKEN,
          HOLDER,
          INSTANCE_ID,
          list("roles", Basic.TEXT).about("what its process does"),
          text("address").about("where its process serves others").optional(),
          text("version").about("of its program").optional(),
          TTL,
          number("remainingMs")
              .about("how long it lasts without renewal; 0: expired, and about to be ended"));

  public static final Operation LIST =
      Operation.get("/v1/sessions", Access.READ, "List the sessions that have not ended")
          .parameters(query("prefix", "of their keys: session/ or longer"), AFTER, LIMIT)
          .answers(200, "found", Shape.page("Sessions", SESSION));

  private SessionApi() {}
}
