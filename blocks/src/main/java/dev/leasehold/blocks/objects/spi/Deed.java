package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.Version;
import dev.leasehold.kernel.RequestId;

/** A write that changed something: under which request, what it did, and which version it made. */
public record Deed(RequestId requestId, Kind kind, Version version) {
  /** What was done, and as which number stores keep it. */
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
      throw new IllegalArgumentException("no kind of deed is kept as " + number);
    }
  }

  /** Whether this is what became of the command when it was sent before. */
  boolean answers(ObjectCommand command) {
    boolean sameVerb = (kind == Kind.DELETED) == (command instanceof ObjectCommand.Delete);
    return sameVerb && requestId.equals(command.requestId());
  }
}
