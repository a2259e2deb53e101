package dev.leasehold.remote.wire;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.function.Function;

/** The outcomes that commands of every block can have, as JSON. */
final class BlockOutcomes {
  private BlockOutcomes() {}

  /** How a block makes its outcomes of refused claims. */
  record Refusing<O>(Function<Admission.Refused, O> refused, Function<LeaseKey, O> bound) {}

  static String word(BlockOutcome outcome) {
    return switch (outcome) {
      case BlockOutcome.Refused refused -> Refusals.word(refused.why());
      case BlockOutcome.Bound bound -> "bound";
      case BlockOutcome.Rejected rejected -> "rejected";
      case BlockOutcome.Failed failed -> "failed";
      default -> throw new IllegalArgumentException("no outcome of every block: " + outcome);
    };
  }

  /** What follows the word. */
  static void writeDetails(JsonOut out, BlockOutcome outcome) {
    switch (outcome) {
      case BlockOutcome.Refused refused -> Refusals.writeDetails(out, refused.why());
      case BlockOutcome.Bound bound -> out.text("key", bound.key().text());
      case BlockOutcome.Rejected rejected -> out.text("why", rejected.why());
      case BlockOutcome.Failed failed ->
          out.text("certainty", failed.certainty().name()).text("why", failed.detail());
      default -> throw new IllegalArgumentException("no outcome of every block: " + outcome);
    }
  }

  /** Of a block whose commands can bring claims. */
  static <O> O read(Members members, CommandKind<?, ?, O> kind, Refusing<O> refusing) {
    return switch (members.text("outcome")) {
      case "stale", "unissued" -> refusing.refused().apply(Refusals.read(members));
      case "bound" -> refusing.bound().apply(Commands.key(members));
      default -> read(members, kind);
    };
  }

  static <O> O read(Members members, CommandKind<?, ?, O> kind) {
    return switch (members.text("outcome")) {
      case "rejected" -> kind.rejected(members.text("why"));
      case "failed" -> kind.failed(certainty(members), members.text("why"));
      default -> throw members.refusal("outcome", "no such outcome is known");
    };
  }

  private static Certainty certainty(Members members) {
    return members.text("certainty").equals(Certainty.NOT_APPLIED.name())
        ? Certainty.NOT_APPLIED
        : Certainty.UNKNOWN;
  }
}
