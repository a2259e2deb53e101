package dev.leasehold.fence;

import dev.leasehold.fence.Guarantee.Atomicity;
import dev.leasehold.fence.Guarantee.Durability;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A fence whose marks are in memory. It suits a target that lives as long as this process; for any
 * other target it is a hole, since a restart forgets which holders were replaced.
 *
 * <p>{@link #change} and {@link #changeAndGet} make a change with its check: once a token was
 * admitted or sealed, no change with a lower one takes effect, and any that had begun has ended. So
 * a seal waits for a lower change in progress, for as long as that takes. Keys do not wait for each
 * other; changes of one key run one after another. {@link #admit} alone is advice.
 *
 * <p>Marks are never forgotten, because a key without a mark would admit the holder that was
 * replaced last. Nor can several marks be merged into one, since tokens of different keys cannot be
 * compared. A mark takes about 200 bytes; the number of keys is bounded, and a key beyond the bound
 * is refused with {@link FenceFullException}. For an unlimited number of keys (runs, sessions), use
 * a target that keeps its marks in its own database.
 */
public final class MemoryFence implements Fence {
  public static final int DEFAULT_MAX_KEYS = 1_000_000;
  public static final int MAX_TARGET = 255;

  private static final Guarantee GUARANTEE =
      new Guarantee(Durability.PROCESS, Atomicity.WITH_CHANGE);

  private final String target;
  private final RefusalTrail trail;
  private final IssuedTokens issued;
  private final int maxKeys;
  private final ConcurrentMap<LeaseKey, Mark> marks = new ConcurrentHashMap<>();
  private final AtomicInteger keys = new AtomicInteger();

  /** A fence that cannot reach the issuer, so an invented token raises the mark like a real one. */
  public MemoryFence(String target, RefusalTrail trail) {
    this(target, trail, IssuedTokens.unseen());
  }

  /** A fence that refuses tokens that were never issued. */
  public MemoryFence(String target, RefusalTrail trail, IssuedTokens issued) {
    this(target, trail, issued, DEFAULT_MAX_KEYS);
  }

  /** A fence with its own bound on the number of keys. */
  public MemoryFence(String target, RefusalTrail trail, IssuedTokens issued, int maxKeys) {
    Texts.requireOneLine("target", target, 1, MAX_TARGET);
    if (maxKeys < 1) {
      throw new IllFormedException("a fence has room for at least 1 key, not " + maxKeys);
    }
    this.target = target;
    this.trail = trail;
    this.issued = issued;
    this.maxKeys = maxKeys;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public Guarantee guarantee() {
    return GUARANTEE;
  }

  @Override
  public Admission admit(Claim claim) {
    Mark known = marks.get(claim.key());
    if (known != null && known.isAt(claim.token())) {
      return Admission.ADMITTED;
    }
    Optional<Admission.Refused> unissued = refuseUnissued(claim, known);
    if (unissued.isPresent()) {
      return unissued.get();
    }
    return told(claim, markOf(claim.key(), known).raiseTo(claim.token()));
  }

  @Override
  public Admission seal(Claim claim) {
    Mark known = marks.get(claim.key());
    if (known != null && known.isSealedWith(claim.token())) {
      return Admission.ADMITTED;
    }
    return switch (issueOf(claim, known)) {
      case IssuedTokens.Granted granted ->
          told(claim, markOf(claim.key(), known).raiseTo(claim.token()));
      case IssuedTokens.Voided voided ->
          told(claim, markOf(claim.key(), known).raiseAbove(claim.token()));
      case IssuedTokens.Never never -> refused(claim, new Admission.Unissued(never.highest()));
    };
  }

  /**
   * Makes a change if its token is admitted. No other change or seal of the key comes in between.
   *
   * @throws FenceFullException when there is no room for the key's mark
   */
  public Admission change(Claim claim, Runnable change) {
    Change<Admission, RuntimeException> thenAdmitted =
        () -> {
          change.run();
          return Admission.ADMITTED;
        };
    return switch (changeAndGet(claim, thenAdmitted)) {
      case Changed.Made<Admission> made -> made.result();
      case Changed.NotMade<Admission> notMade -> notMade.why();
    };
  }

  /**
   * The same with a result. If the change throws, the mark stays raised and the fence undoes
   * nothing. The change must not bring a higher token of its own key to this fence, which throws
   * {@link IllegalStateException}, nor wait for a thread that does. If it makes a change under a
   * second key, all such changes must take the keys in the same order.
   */
  public <T, X extends Exception> Changed<T> changeAndGet(Claim claim, Change<T, X> change)
      throws X {
    Mark known = marks.get(claim.key());
    Optional<Admission.Refused> unissued = refuseUnissued(claim, known);
    if (unissued.isPresent()) {
      return new Changed.NotMade<>(unissued.get());
    }
    Changed<T> outcome = markOf(claim.key(), known).change(claim.token(), change);
    if (outcome instanceof Changed.NotMade<T> notMade) {
      refused(claim, notMade.why());
    }
    return outcome;
  }

  /**
   * Asks the issuer only if the mark would rise: a token at the mark was asked about when it raised
   * the mark.
   */
  private IssuedTokens.Issue issueOf(Claim claim, @Nullable Mark known) {
    return known != null && !known.isBelow(claim.token())
        ? new IssuedTokens.Granted()
        : issued.issueOf(claim.key(), claim.token());
  }

  /**
   * Asks before it takes the key's lock, since the issuer may be slow. A token that was issued
   * stays issued, so the answer remains valid.
   */
  private Optional<Admission.Refused> refuseUnissued(Claim claim, @Nullable Mark known) {
    return switch (issueOf(claim, known)) {
      case IssuedTokens.Granted granted -> Optional.empty();
      case IssuedTokens.Voided voided ->
          Optional.of(refused(claim, new Admission.Unissued(Optional.of(claim.token()))));
      case IssuedTokens.Never never ->
          Optional.of(refused(claim, new Admission.Unissued(never.highest())));
    };
  }

  private Admission.Refused refused(Claim claim, Admission.Refused refusal) {
    trail.add(target, claim, refusal);
    return refusal;
  }

  private Admission told(Claim claim, Admission answer) {
    return answer instanceof Admission.Refused refusal ? refused(claim, refusal) : answer;
  }

  private Mark markOf(LeaseKey key, @Nullable Mark known) {
    return known == null ? marks.computeIfAbsent(key, k -> newMark()) : known;
  }

  private Mark newMark() {
    if (keys.getAndUpdate(n -> Math.min(n + 1, maxKeys)) == maxKeys) {
      throw new FenceFullException(target, maxKeys);
    }
    return new Mark();
  }
}
