package dev.leasehold.blocks.objects.model;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.Optional;

/**
 * The result of a write. Each verb has its own closed set; {@link Rejected} and {@link Failed} can
 * answer any verb.
 */
public sealed interface ObjectOutcome {
  /**
   * Whether this outcome still holds if an earlier copy of its command, which the sender got no
   * answer to, arrives after it. A change is remembered under its request id. A command that has
   * changed nothing may find what it expects by then, unless the version that it expects is gone
   * for ever: a later version proves that, absence does not.
   *
   * @param expected what the command expects to find
   */
  default boolean isFinal(Expectation expected) {
    return switch (this) {
      case Written written -> true;
      case Deleted deleted -> true;
      case Conflict(Optional<Version> current) ->
          expected instanceof Expectation.At(Version version)
              && current.filter(found -> found.isAbove(version)).isPresent();
      case Absent absent -> false;
      case Refused refused -> false;
      case Bound bound -> false;
      case Rejected rejected -> false;
      case Failed failed -> false;
    };
  }

  /** The results of a put. */
  sealed interface OfPut extends ObjectOutcome {}

  /** The results of a deletion. */
  sealed interface OfDelete extends ObjectOutcome {}

  /** The payload is stored, at this version. */
  sealed interface Written extends OfPut {
    Version version();
  }

  /** There was no object before. */
  record Created(Version version) implements Written {}

  record Replaced(Version version) implements Written {}

  /** The object is deleted, at this version; every later version is above it. */
  record Deleted(Version version) implements OfDelete {}

  /** There was nothing to delete. */
  record Absent() implements OfDelete {}

  /**
   * The write found another state than it expected. Nothing was changed.
   *
   * @param current the version of the object; empty if there is no object
   */
  record Conflict(Optional<Version> current) implements OfPut, OfDelete {}

  /** The claim is not, or no longer, that of a current grant. Nothing was changed. */
  record Refused(Admission.Refused why) implements OfPut, OfDelete, BlockOutcome.Refused {}

  /** The object is bound to this key, and the write brought no claim of it. Nothing was changed. */
  record Bound(LeaseKey key) implements OfPut, OfDelete, BlockOutcome.Bound {}

  /** The store will never accept this command from this sender. Nothing was changed. */
  record Rejected(String why) implements ObjectOutcome, BlockOutcome.Rejected {}

  /** There is no outcome. The caller may send the same request again to get one. */
  record Failed(Certainty certainty, String detail) implements ObjectOutcome, BlockOutcome.Failed {}
}
