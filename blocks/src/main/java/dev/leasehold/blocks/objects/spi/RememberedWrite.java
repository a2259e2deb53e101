package dev.leasehold.blocks.objects.spi;

import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;

/** A write that changed something: its request, its kind, and the version that it made. */
public record RememberedWrite(RequestId requestId, Kind kind, Version version) {
  /** The kind of write, and the number that stores keep for it. */
  public enum Kind {
    CREATED(0),
    REPLACED(1),
    DELETED(2);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }

    public static Kind of(int number) {
      for (Kind kind : values()) {
        if (kind.number == number) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no kind of write is kept as " + number);
    }
  }

  /** Whether this is the effect of an earlier copy of the command. */
  boolean answers(ObjectCommand command) {
    boolean sameVerb = (kind == Kind.DELETED) == (command instanceof ObjectCommand.Delete);
    return sameVerb && requestId.equals(command.requestId());
  }
}
