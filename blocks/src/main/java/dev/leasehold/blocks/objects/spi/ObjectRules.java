package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.Expectation;
import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.blocks.objects.Payload;
import dev.leasehold.blocks.objects.Version;
import dev.leasehold.blocks.objects.spi.ObjectDecision.Change;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.TokenExhaustedException;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.Optional;

/**
 * Decides writes: a pure function of the object, the command and the scene around them. Every store
 * uses it, with the object locked and the claim's grant held until commit.
 */
public final class ObjectRules {
  private ObjectRules() {}

  /**
   * Decides a command. It checks first whether the command was carried out before, since its effect
   * stays even if the lease has another holder now; then whether the command is allowed; then
   * whether it finds the expected state.
   */
  public static ObjectDecision decide(ObjectState state, ObjectCommand command, ObjectScene scene) {
    Optional<Deed> before =
        state
            .record()
            .map(ObjectRecord::last)
            .filter(deed -> deed.answers(command))
            .or(() -> state.recalled().filter(deed -> deed.answers(command)));
    if (before.isPresent()) {
      return ObjectDecision.unchanged(told(before.get()));
    }
    if (scene.bound().isPresent() && !isUnder(command, scene.bound().get())) {
      return ObjectDecision.unchanged(new ObjectOutcome.Bound(scene.bound().get()));
    }
    if (scene.admission() instanceof Admission.Refused refused) {
      return ObjectDecision.unchanged(new ObjectOutcome.Refused(refused));
    }
    Optional<Version> current = state.record().flatMap(ObjectRecord::current);
    if (!isMet(command.expected(), current)) {
      return ObjectDecision.unchanged(new ObjectOutcome.Conflict(current));
    }
    try {
      return switch (command) {
        case ObjectCommand.Put put -> put(state, put, scene);
        case ObjectCommand.Delete delete ->
            current.isPresent()
                ? delete(state, delete, scene)
                : ObjectDecision.unchanged(new ObjectOutcome.Absent());
      };
    } catch (TokenExhaustedException e) {
      return ObjectDecision.unchanged(
          new ObjectOutcome.Failed(
              Certainty.NOT_APPLIED, "the versions of " + command.name() + " are used up"));
    }
  }

  private static ObjectOutcome told(Deed deed) {
    return switch (deed.kind()) {
      case CREATED -> new ObjectOutcome.Created(deed.version());
      case REPLACED -> new ObjectOutcome.Replaced(deed.version());
      case DELETED -> new ObjectOutcome.Deleted(deed.version());
    };
  }

  private static boolean isUnder(ObjectCommand command, LeaseKey key) {
    return command.claim().map(Claim::key).filter(key::equals).isPresent();
  }

  private static boolean isMet(Expectation expected, Optional<Version> current) {
    return switch (expected) {
      case Expectation.Anything anything -> true;
      case Expectation.Absence absence -> current.isEmpty();
      case Expectation.At(Version version) -> current.isPresent() && current.get().equals(version);
    };
  }

  private static ObjectDecision put(
      ObjectState state, ObjectCommand.Put command, ObjectScene scene) {
    boolean exists = state.record().flatMap(ObjectRecord::current).isPresent();
    Deed.Kind kind = exists ? Deed.Kind.REPLACED : Deed.Kind.CREATED;
    return changed(
        state, new Deed(command.requestId(), kind, next(state, scene)), scene, command.payload());
  }

  private static ObjectDecision delete(
      ObjectState state, ObjectCommand.Delete command, ObjectScene scene) {
    Deed deed = new Deed(command.requestId(), Deed.Kind.DELETED, next(state, scene));
    return changed(state, deed, scene, Payload.EMPTY);
  }

  private static Version next(ObjectState state, ObjectScene scene) {
    return state
        .record()
        .map(ObjectRecord::version)
        .orElse(state.floor())
        .next(scene.incarnation());
  }

  private static ObjectDecision changed(
      ObjectState state, Deed deed, ObjectScene scene, Payload payload) {
    Optional<ObjectRecord> before = state.record();
    long now = Math.max(scene.nowMillis(), before.map(ObjectRecord::updatedAtMillis).orElse(0L));
    long createdAt =
        deed.kind() == Deed.Kind.CREATED
            ? now
            : before.map(ObjectRecord::createdAtMillis).orElse(now);
    ObjectRecord after = new ObjectRecord(deed, createdAt, now);
    return new ObjectDecision(told(deed), Optional.of(new Change(after, payload, before)));
  }
}
