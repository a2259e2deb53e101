package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.Version;
import dev.leasehold.kernel.RequestId;

/** A write that changed something: under which request, what it did, and which version it made. */
public record Deed(RequestId requestId, Kind kind, Version version) {
  /** What was done. Stores keep the order as a number, so it stays as it is. */
  public enum Kind {
    CREATED,
    REPLACED,
    DELETED
  }

  /** Whether this is what became of the command when it was sent before. */
  boolean answers(ObjectCommand command) {
    boolean sameVerb = (kind == Kind.DELETED) == (command instanceof ObjectCommand.Delete);
    return sameVerb && requestId.equals(command.requestId());
  }
}
