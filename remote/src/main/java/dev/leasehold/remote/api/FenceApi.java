package dev.leasehold.remote.api;

import static dev.leasehold.remote.api.Member.words;
import static dev.leasehold.remote.api.Vocabulary.HOLDER;
import static dev.leasehold.remote.api.Vocabulary.KEY;
import static dev.leasehold.remote.api.Vocabulary.TOKEN;

/** {@code /v1/fences}. */
public final class FenceApi {
  static final Shape CLAIM =
      Shape.of("Claim", KEY, TOKEN, HOLDER.about("who brings the token, for people").optional());
  static final Shape ADMITTED = Shape.of("Admitted", words("outcome", "admitted"));

  public static final Operation ADMIT =
      of(
          "admit",
          "Ask whether a token may change a target; asked beforehand, this is advice",
          """
          {"key": "lock/nightly-report", "token": 750966441771009, "holder": "worker-1"}\
          """);
  public static final Operation SEAL =
      of(
          "seal",
          "Raise the mark of a target, so that nothing lower is admitted any more",
          "{\"key\": \"lock/nightly-report\", \"token\": 750966441771009}");

  private FenceApi() {}

  private static Operation of(String word, String summary, String example) {
    return Operation.post("/v1/fences/{target}/" + word, Access.HOLD, summary)
        .parameters(Parameter.path("target", "ledger-table"))
        .body(CLAIM, Operation.SMALL_BODY, example)
        .answers(ADMITTED)
        .problems(409, 429);
  }
}
