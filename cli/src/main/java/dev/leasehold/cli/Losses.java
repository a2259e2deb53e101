package dev.leasehold.cli;

import dev.leasehold.kernel.LossReason;

/** Why a grant is not the caller's, in words. */
final class Losses {
  private Losses() {}

  /** Adds the reason and what belongs to it. */
  static Json json(Json object, LossReason reason) {
    object.with("reason", word(reason));
    return switch (reason) {
      case LossReason.Superseded by -> object.with("by", by.by()).with("token", by.token().value());
      case LossReason.Revoked by -> object.with("by", by.by()).with("why", by.why());
      default -> object;
    };
  }

  static String word(LossReason reason) {
    return switch (reason) {
      case LossReason.Superseded superseded -> "SUPERSEDED";
      case LossReason.Expired expired -> "EXPIRED";
      case LossReason.Released released -> "RELEASED";
      case LossReason.Revoked revoked -> "REVOKED";
      case LossReason.Stalled stalled -> "STALLED";
      case LossReason.NotHolder notHolder -> "NOT_HOLDER";
      case LossReason.Unknown unknown -> "UNKNOWN";
      case LossReason.IncarnationAdvanced advanced -> "INCARNATION_ADVANCED";
      case LossReason.Unreachable unreachable -> "UNREACHABLE";
      case LossReason.OutOfTime outOfTime -> "OUT_OF_TIME";
      case LossReason.Broken broken -> "BROKEN";
    };
  }

  /** To follow "it". */
  static String sentence(LossReason reason) {
    return switch (reason) {
      case LossReason.Superseded(var by, var token) ->
          "was followed by a grant to " + by + " under token " + token;
      case LossReason.Expired expired -> "has expired";
      case LossReason.Released released -> "was released";
      case LossReason.Revoked(var by, var why) -> "was revoked by " + by + ": " + why;
      case LossReason.Stalled stalled -> "was ended, since its work stood still";
      case LossReason.NotHolder notHolder -> "belongs to another instance";
      case LossReason.Unknown unknown -> "is not on record";
      case LossReason.IncarnationAdvanced advanced ->
          "ended when the store's incarnation was advanced";
      case LossReason.Unreachable unreachable -> "could not be renewed in time";
      case LossReason.OutOfTime outOfTime -> "was held for as long as it was wanted at the most";
      case LossReason.Broken(var what) -> "was stopped: " + what;
    };
  }
}
