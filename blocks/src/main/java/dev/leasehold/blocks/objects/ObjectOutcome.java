package dev.leasehold.blocks.objects;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.Optional;

/**
 * What became of a write. Each verb has its own closed set; {@link Rejected} and {@link Failed} can
 * answer any.
 */
public sealed interface ObjectOutcome {
  /** What a put can come to. */
  sealed interface OfPut extends ObjectOutcome {}

  /** What a deletion can come to. */
  sealed interface OfDelete extends ObjectOutcome {}

  /** The payload is there, at this version. */
  sealed interface Written extends OfPut {
    Version version();
  }

  /** There was no object before. */
  record Created(Version version) implements Written {}

  record Replaced(Version version) implements Written {}

  /** It is gone; the version is that of the deletion, and whatever comes later is above it. */
  record Deleted(Version version) implements OfDelete {}

  /** There was nothing to delete. */
  record Absent() implements OfDelete {}

  /**
   * Something else was found than was expected. Nothing was changed.
   *
   * @param current the version that is there; empty where there is no object
   */
  record Conflict(Optional<Version> current) implements OfPut, OfDelete {}

  /** The claim that was brought is not, or no longer, a current grant. Nothing was changed. */
  record Refused(Admission.Refused why) implements OfPut, OfDelete {}

  /** The object is bound to this key, and no claim of it was brought. Nothing was changed. */
  record Bound(LeaseKey key) implements OfPut, OfDelete {}

  /** It will not be had from this sender, now or later. Nothing was changed. */
  record Rejected(String why) implements ObjectOutcome {}

  /** There is no outcome; whoever sends the same request again may get one. */
  record Failed(Certainty certainty, String detail) implements ObjectOutcome {}
}
