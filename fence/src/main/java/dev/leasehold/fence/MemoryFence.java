package dev.leasehold.fence;

import dev.leasehold.fence.Guarantee.Atomicity;
import dev.leasehold.fence.Guarantee.Durability;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A fence whose marks are in memory: right for a target that lives and dies with this process, and
 * a hole before any other, since a restart forgets who was replaced.
 *
 * <p>{@link #change} and {@link #changeAndGet} make a change with its check: once a token was
 * admitted or sealed, no change with a lower one takes effect, and one that had begun has ended. So
 * a seal waits for a lower change that is under way, for as long as that takes. Keys do not wait
 * for each other; changes of one key run one after another. {@link #admit} alone is advice.
 *
 * <p>Marks are never forgotten, and there is no way to ask for it: a key without a mark would admit
 * the holder that was replaced last. Nor can dead marks be folded into one, since tokens of
 * different keys cannot be compared. A mark takes about 200 bytes; the number of keys is bounded,
 * and a key beyond the bound is refused with {@link FenceFullException}. Keys that come and go
 * without end (runs, sessions) belong before a target that keeps its marks in its own database.
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

  /** A fence that cannot see the issuer: an invented token raises the mark as a real one does. */
  public MemoryFence(String target, RefusalTrail trail) {
    this(target, trail, IssuedTokens.unseen());
  }

  /** A fence that refuses tokens that were never issued. */
  public MemoryFence(String target, RefusalTrail trail, IssuedTokens issued) {
    this(target, trail, issued, DEFAULT_MAX_KEYS);
  }

  /** A fence with its own bound on the number of keys. */
  public MemoryFence(String target, RefusalTrail trail, IssuedTokens issued, int maxKeys) {
    Texts.requireOneLine("target", target, MAX_TARGET);
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
    return raise(claim);
  }

  @Override
  public Admission seal(Claim claim) {
    return raise(claim);
  }

  /**
   * Makes a change if its token is admitted, before anything else of the key can happen here.
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
   * The same with a result. A change that throws has been admitted: the mark stays raised, and what
   * it did until then is the change's own business. It must not bring a higher token of its own key
   * to this fence, which is refused with an {@link IllegalStateException}, nor wait for somebody
   * who does; and if it changes under a second key, every such change must take the keys in the
   * same order.
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
      trail.add(target, claim, notMade.why());
    }
    return outcome;
  }

  private Admission raise(Claim claim) {
    Mark known = marks.get(claim.key());
    if (known != null && known.isAt(claim.token())) {
      return Admission.ADMITTED;
    }
    Optional<Admission.Refused> unissued = refuseUnissued(claim, known);
    if (unissued.isPresent()) {
      return unissued.get();
    }
    Admission answer = markOf(claim.key(), known).raiseTo(claim.token());
    if (answer instanceof Admission.Refused refused) {
      trail.add(target, claim, refused);
    }
    return answer;
  }

  /**
   * Asked before the key's lock is taken, since the issuer may be far away. Issued tokens only
   * grow, so what was issued by then still is; and a token not above the mark was asked about when
   * the mark rose.
   */
  private Optional<Admission.Refused> refuseUnissued(Claim claim, @Nullable Mark known) {
    if (known != null && !known.isBelow(claim.token())) {
      return Optional.empty();
    }
    Optional<Token> highest = issued.highestFor(claim.key());
    if (highest.isPresent() && !claim.token().isAbove(highest.get())) {
      return Optional.empty();
    }
    Admission.Unissued unissued = new Admission.Unissued(highest);
    trail.add(target, claim, unissued);
    return Optional.of(unissued);
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
