package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * The decision about a command: the answer, and the change that the store makes in the same
 * transaction.
 *
 * @param unissued the token that the command brought, if this store never issued it for the key:
 *     the store may have lost writes; the store counts and lists the case, and closes nothing
 *     because of it
 * @param followUp a command that the store sends to itself next
 */
public record Decision(
    Outcome outcome, Effect effect, Optional<Token> unissued, Optional<Command> followUp) {

  /** The change to the record. */
  public sealed interface Effect {}

  /** The record stays as it is. */
  public record Unchanged() implements Effect {}

  /**
   * The store writes the record, what it must remember of the command, and the change that it
   * announces.
   */
  public record Put(
      LeaseRecord record,
      Optional<Remembered> remembered,
      Optional<Ending> ending,
      List<LeaseChange> changes)
      implements Effect {
    public Put {
      changes = List.copyOf(changes);
    }

    static Put of(LeaseRecord record) {
      return new Put(record, Optional.empty(), Optional.empty(), List.of());
    }

    Put remembering(Remembered newRemembered) {
      return new Put(record, Optional.of(newRemembered), ending, changes);
    }

    Put ending(Optional<Ending> newEnding) {
      return new Put(record, remembered, newEnding, changes);
    }

    Put telling(LeaseChange... newChanges) {
      return new Put(record, remembered, ending, List.of(newChanges));
    }
  }

  /**
   * The store raises the bucket's floor to this token, then deletes the record and all that it
   * remembers of the key.
   */
  public record Delete(Token floor) implements Effect {}

  static Decision unchanged(Outcome outcome) {
    return new Decision(outcome, new Unchanged(), Optional.empty(), Optional.empty());
  }

  static Decision of(Outcome outcome, Effect effect) {
    return new Decision(outcome, effect, Optional.empty(), Optional.empty());
  }

  Decision followedBy(Command next) {
    return new Decision(outcome, effect, unissued, Optional.of(next));
  }

  Decision bringing(Optional<Token> newUnissued) {
    return new Decision(outcome, effect, newUnissued, followUp);
  }
}
