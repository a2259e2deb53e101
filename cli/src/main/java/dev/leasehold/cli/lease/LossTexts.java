package dev.leasehold.cli.lease;

import dev.leasehold.kernel.model.LossReason;

/** Why a grant is not the caller's, as text. */
public final class LossTexts {
  private LossTexts() {}

  /** A phrase that follows "the grant" or "it". */
  public static String sentence(LossReason reason) {
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
      case LossReason.OutOfTime outOfTime ->
          "was held for the maximum time that its holder asked for";
      case LossReason.Broken(var what) -> "was stopped: " + what;
    };
  }
}
