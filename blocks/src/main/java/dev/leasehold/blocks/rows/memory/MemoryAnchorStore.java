package dev.leasehold.blocks.rows.memory;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.spi.AnchorRecord;
import dev.leasehold.blocks.rows.spi.AnchorRules;
import dev.leasehold.blocks.rows.spi.AnchorStore;
import dev.leasehold.blocks.rows.spi.DecisionMoment;
import dev.leasehold.blocks.rows.spi.OpenResult;
import dev.leasehold.blocks.rows.spi.Orphan;
import dev.leasehold.blocks.rows.spi.SessionRules;
import dev.leasehold.blocks.rows.spi.SessionStanding;
import dev.leasehold.blocks.rows.spi.SessionState;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.memory.MemoryLeaseStore.Moment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Anchors in memory, beside the leases: each call is one step under their lock. */
public final class MemoryAnchorStore implements AnchorStore {
  private final MemoryLeaseStore leases;

  // Guarded by the lease store's lock.
  private final TreeMap<Anchor, AnchorRecord> anchors = new TreeMap<>();
  private long counter;

  public MemoryAnchorStore(MemoryLeaseStore leases) {
    this.leases = leases;
  }

  private <T> CompletionStage<T> inOneStep(Function<Moment, T> step) {
    try {
      return CompletableFuture.completedFuture(leases.atEffect(step));
    } catch (IllegalStateException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public CompletionStage<OpenResult> open(SessionGrant session) {
    return inOneStep(
        moment -> {
          SessionStanding standing = SessionRules.standing(stateOf(session, moment));
          return standing instanceof SessionStanding.Alive
              ? new OpenResult.Opened(add(session, false, moment), add(session, true, moment))
              : new OpenResult.Refused(standing);
        });
  }

  private Anchor add(SessionGrant session, boolean isServed, Moment moment) {
    counter++;
    Anchor anchor = new Anchor(Token.of(moment.incarnation(), counter).value());
    anchors.put(anchor, new AnchorRecord(anchor, session, isServed, OptionalLong.empty()));
    return anchor;
  }

  private static SessionState stateOf(SessionGrant session, Moment moment) {
    return SessionRules.stateOf(moment.record(session.key()), session, at(moment));
  }

  private static DecisionMoment at(Moment moment) {
    return new DecisionMoment(moment.nowMillis(), moment.incarnation());
  }

  @Override
  public CompletionStage<List<AnchorRecord>> under(SessionGrant session) {
    return inOneStep(
        moment -> anchors.values().stream().filter(a -> a.session().equals(session)).toList());
  }

  @Override
  public CompletionStage<List<Orphan>> orphans(Optional<Anchor> after, int limit) {
    return inOneStep(
        moment ->
            anchors.values().stream()
                .filter(found -> after.isEmpty() || found.anchor().compareTo(after.get()) > 0)
                .map(anchor -> new Orphan(anchor, stateOf(anchor.session(), moment)))
                .filter(orphan -> !(orphan.session() instanceof SessionState.Alive))
                .limit(limit)
                .toList());
  }

  @Override
  public CompletionStage<Boolean> adopt(Anchor anchor, SessionGrant ended, SessionGrant adopter) {
    return inOneStep(
        moment -> {
          AnchorRecord before = anchors.get(anchor);
          if (before == null) {
            return false;
          }
          AnchorRules.Adoption adoption =
              new AnchorRules.Adoption(
                  ended,
                  stateOf(ended, moment),
                  adopter,
                  SessionRules.standing(stateOf(adopter, moment)));
          Optional<AnchorRecord> after = AnchorRules.adopted(before, adoption, at(moment));
          after.ifPresent(changed -> anchors.put(anchor, changed));
          return after.isPresent() || AnchorRules.wasAdopted(before, adopter);
        });
  }

  @Override
  public CompletionStage<Boolean> forget(Anchor anchor, SessionGrant under) {
    return inOneStep(
        moment ->
            Optional.ofNullable(anchors.get(anchor))
                .filter(found -> AnchorRules.mayBeForgotten(found, under, stateOf(under, moment)))
                .map(found -> anchors.remove(anchor) != null)
                .orElse(false));
  }
}
