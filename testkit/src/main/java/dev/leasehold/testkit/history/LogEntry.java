package dev.leasehold.testkit.history;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.rules.Remembered;
import java.util.Optional;

/**
 * What a store wrote to one key, taken from the store itself: the ground truth.
 *
 * @param sequence the order of commits within the key. It must be counted under the key's own lock;
 *     a database sequence is no such order, since its numbers are drawn before the commit
 * @param storeMillis the store's time of the decision
 */
public record LogEntry(LeaseKey key, long sequence, long storeMillis, Effect effect)
    implements Event, Evidence {

  /** What was written. */
  public sealed interface Effect {}

  /** Written for a request that can be repeated. */
  public sealed interface Requested extends Effect {
    Remembered.Request by();
  }

  /** Takes a new number from the key. */
  public sealed interface Issuing extends Effect {
    /** The new number: of a grant, or void. */
    Token issued();
  }

  /** A new grant begins. */
  public sealed interface Beginning extends Issuing {
    Token token();

    long expiresAtMillis();

    @Override
    default Token issued() {
      return token();
    }
  }

  public record Granted(Token token, Remembered.Request by, long expiresAtMillis)
      implements Beginning, Requested {}

  /** The given grant ends, and the heir's begins. */
  public record HandedOver(
      Token given, Token token, InstanceId heir, Remembered.Request by, long expiresAtMillis)
      implements Beginning, Requested {}

  public record Renewed(Token token, long expiresAtMillis) implements Effect {}

  /** Found expired, and closed to renewal for good. */
  public record Lapsed(Token token) implements Effect {}

  public record Released(Token token, Remembered.Request by) implements Requested {}

  /** A request was given up, and with it the grant that it had, if it had one. */
  public record Abandoned(Optional<Token> released, Remembered.Request by) implements Requested {}

  /** The key was closed, and the grant ended, if there was one. */
  public record Revoked(Token voidToken, Optional<Token> ended, Remembered.Request by)
      implements Issuing, Requested {
    @Override
    public Token issued() {
      return voidToken;
    }
  }

  public record Reopened(Remembered.Request by) implements Requested {}

  /** The store has ended a grant by itself, since it had stalled or expired. */
  public record TakenAway(Token ended, Token voidToken) implements Issuing {
    @Override
    public Token issued() {
      return voidToken;
    }
  }

  /** The record is gone; the next token is above the floor. */
  public record Purged(Token floor) implements Effect {}

  /** Whatever grant there was has ended, and the next token is of this incarnation or higher. */
  public record IncarnationAdvanced(int incarnation) implements Effect {}
}
