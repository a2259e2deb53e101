package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectDecision.Change;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.TokenExhaustedException;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.Optional;

/**
 * Decides writes: a pure function of the object, the command and the context around them. Every
 * store uses it, with the object locked and the claim's grant held until commit.
 */
public final class ObjectRules {
  private ObjectRules() {}

  /**
   * Decides a command. It checks first whether the command was carried out before, since its effect
   * stays even if the lease has another holder now; then whether the command is allowed; then
   * whether it finds the expected state.
   */
  public static ObjectDecision decide(
      ObjectState state, ObjectCommand command, ObjectDecisionContext context) {
    Optional<RememberedWrite> before = state.writtenBy(command);
    if (before.isPresent()) {
      return ObjectDecision.unchanged(told(before.get()));
    }
    if (context.bound().isPresent() && !isUnder(command, context.bound().get())) {
      return ObjectDecision.unchanged(new ObjectOutcome.Bound(context.bound().get()));
    }
    if (context.admission() instanceof Admission.Refused refused) {
      return ObjectDecision.unchanged(new ObjectOutcome.Refused(refused));
    }
    Optional<Version> current = state.record().flatMap(ObjectRecord::current);
    if (!isMet(command.expected(), current)) {
      return ObjectDecision.unchanged(new ObjectOutcome.Conflict(current));
    }
    try {
      return switch (command) {
        case ObjectCommand.Put put -> put(state, put, context);
        case ObjectCommand.Delete delete ->
            current.isPresent()
                ? delete(state, delete, context)
                : ObjectDecision.unchanged(new ObjectOutcome.Absent());
      };
    } catch (TokenExhaustedException e) {
      return ObjectDecision.unchanged(
          new ObjectOutcome.Failed(
              Certainty.NOT_APPLIED, "the versions of " + command.name() + " are used up"));
    }
  }

  private static ObjectOutcome told(RememberedWrite write) {
    return switch (write.kind()) {
      case CREATED -> new ObjectOutcome.Created(write.version());
      case REPLACED -> new ObjectOutcome.Replaced(write.version());
      case DELETED -> new ObjectOutcome.Deleted(write.version());
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
      ObjectState state, ObjectCommand.Put command, ObjectDecisionContext context) {
    boolean exists = state.record().flatMap(ObjectRecord::current).isPresent();
    RememberedWrite.Kind kind =
        exists ? RememberedWrite.Kind.REPLACED : RememberedWrite.Kind.CREATED;
    return changed(
        state,
        new RememberedWrite(command.requestId(), kind, next(state, context)),
        context,
        command.payload());
  }

  private static ObjectDecision delete(
      ObjectState state, ObjectCommand.Delete command, ObjectDecisionContext context) {
    RememberedWrite write =
        new RememberedWrite(
            command.requestId(), RememberedWrite.Kind.DELETED, next(state, context));
    return changed(state, write, context, Payload.EMPTY);
  }

  private static Version next(ObjectState state, ObjectDecisionContext context) {
    return state
        .record()
        .map(ObjectRecord::version)
        .orElse(state.floor())
        .next(context.incarnation());
  }

  private static ObjectDecision changed(
      ObjectState state, RememberedWrite write, ObjectDecisionContext context, Payload payload) {
    Optional<ObjectRecord> before = state.record();
    long now = Math.max(context.nowMillis(), before.map(ObjectRecord::updatedAtMillis).orElse(0L));
    long createdAt =
        write.kind() == RememberedWrite.Kind.CREATED
            ? now
            : before.map(ObjectRecord::createdAtMillis).orElse(now);
    ObjectRecord after = new ObjectRecord(write, createdAt, now);
    return new ObjectDecision(told(write), Optional.of(new Change(after, payload, before)));
  }
}
