package dev.leasehold.remote.api;

import static dev.leasehold.remote.api.Member.list;
import static dev.leasehold.remote.api.Member.text;
import static dev.leasehold.remote.api.Vocabulary.TOKEN;

import dev.leasehold.remote.api.Schema.Basic;

/** What a server reports about itself: health, metrics and its API. */
public final class ServerApi {
  static final Shape ROLE =
      Shape.of("Role", text("name"), TOKEN.as("term").about("the token that the role rests on"));
  static final Shape ALIVE =
      Shape.of("Alive", text("status"), list("roles", ROLE).about("of /readyz").optional());

  public static final Operation HEALTH =
      Operation.get("/healthz", Access.OPEN, "Whether the process lives")
          .answers(200, "found", ALIVE);
  public static final Operation READY =
      Operation.get(
              "/readyz",
              Access.OPEN,
              "Whether this server should get requests, with the roles and terms of this replica")
          .answers(200, "found", ALIVE);
  public static final Operation METRICS =
      Operation.get("/metrics", Access.READ, "Prometheus text")
          .answers(200, "found", "text/plain", Basic.TEXT);
  public static final Operation HOME =
      Operation.get("/", Access.OPEN, "What this is, for people")
          .answers(200, "a page", "text/html", Basic.TEXT);
  public static final Operation DOCUMENT =
      Operation.get("/v1/openapi.json", Access.OPEN, "This document")
          .answers(200, "found", Basic.ANY);

  private ServerApi() {}
}
