package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.SharedCommands;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.remote.api.LeaseApi;
import dev.leasehold.remote.api.LeaseVerb;
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.Detail;
import dev.leasehold.remote.wire.Outcomes;
import dev.leasehold.remote.wire.Problem;
import dev.leasehold.server.security.Permission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code POST /v1/leases/...}: commands, one or many. */
public final class LeaseCommands {
  /** Paths under {@code /v1/leases/} that are not keys. */
  static final Set<String> PATHS =
      Stream.concat(Stream.of("batch"), Stream.of(LeaseVerb.values()).map(LeaseVerb::word))
          .collect(Collectors.toUnmodifiableSet());

  private final SharedCommands commands;
  private final WaitingRequests waitingRequests;
  private final RowUnlocking unlocking;
  private final CommandEvents events = new CommandEvents();

  public LeaseCommands(
      SharedCommands commands, WaitingRequests waitingRequests, RowUnlocking unlocking) {
    this.commands = commands;
    this.waitingRequests = waitingRequests;
    this.unlocking = unlocking;
  }

  public List<Route> routes() {
    return List.of(
        Route.of(LeaseApi.ACQUIRE, this::acquire),
        Route.of(LeaseApi.RENEW, this::renew),
        Route.of(LeaseApi.BATCH, this::batch),
        Route.of(LeaseApi.RELEASE, call -> one(call, LeaseVerb.RELEASE)),
        Route.of(LeaseApi.ABANDON, call -> one(call, LeaseVerb.ABANDON)),
        Route.of(LeaseApi.HANDOVER, call -> one(call, LeaseVerb.HANDOVER)),
        Route.of(LeaseApi.REVOKE, call -> one(call, LeaseVerb.REVOKE)),
        Route.of(LeaseApi.REOPEN, call -> one(call, LeaseVerb.REOPEN)));
  }

  private static Permission needed(LeaseVerb verb) {
    return Route.permission(verb.access());
  }

  private ApiResponse acquire(Call call) throws Exception {
    Commands.Waiting wanted = Commands.readWaiting(call.json());
    Command.Acquire acquire = wanted.acquire();
    call.require(Permission.HOLD, acquire.key());
    Optional<Outcome> outcome =
        wanted.waitMillis() == 0
            ? Optional.of(apply(call, List.of(acquire)).getFirst())
            : waited(call, acquire, wanted.waitMillis())
                .map(known -> BlockAnswers.told(Command.KIND, known));
    if (!wanted.named() && outcome.filter(Outcome.Failed.class::isInstance).isPresent()) {
      // The store may have granted it, and its sender gave no holder name by which it could ask for
      // it again.
      waitingRequests.abandon(acquire);
    }
    return outcome
        .map(known -> rendered(wanted, known, call.detail()))
        .orElseGet(ApiResponse.ClientGone::new);
  }

  private Optional<Outcome> waited(Call call, Command.Acquire acquire, long waitMillis)
      throws InterruptedException {
    Optional<Outcome> outcome = waitingRequests.await(call, acquire, waitMillis);
    events
        .of(acquire, outcome.orElse(new Outcome.Abandoned()))
        .ifPresent(call.observer()::observed);
    return outcome;
  }

  /**
   * Abandons a grant that cannot be delivered, unless it may already have been delivered elsewhere:
   * a caller that acquires without waiting may repeat its request at another server and trust that
   * answer at once.
   */
  private ApiResponse rendered(Commands.Waiting wanted, Outcome outcome, Detail detail) {
    RequestSpans.outcome(Outcomes.word(outcome));
    if (outcome instanceof Outcome.Abandoned) {
      return conflict(wanted.acquire().key(), outcome, "Abandoned");
    }
    ApiResponse answer = rendered(wanted.acquire().key(), outcome, detail);
    boolean givenUp = wanted.waitMillis() > 0 || !wanted.named();
    return givenUp
            && outcome instanceof Outcome.Granted
            && answer instanceof ApiResponse.Whole whole
        ? whole.orElse(() -> waitingRequests.abandon(wanted.acquire()))
        : answer;
  }

  private ApiResponse one(Call call, LeaseVerb verb) throws Exception {
    Command command = Commands.read(verb, call.json(), call::operator);
    call.require(needed(verb), command.key());
    Outcome outcome = apply(call, List.of(command)).getFirst();
    RequestSpans.outcome(Outcomes.word(outcome));
    return rendered(command.key(), outcome, call.detail());
  }

  private ApiResponse renew(Call call) throws Exception {
    return many(call, call.read(in -> Commands.readRenewals(in, allowed(call))));
  }

  private ApiResponse batch(Call call) throws Exception {
    return many(call, call.read(in -> Commands.readBatch(in, call::operator, allowed(call))));
  }

  private static Commands.Check allowed(Call call) {
    return (verb, key) -> call.require(needed(verb), key);
  }

  private ApiResponse many(Call call, List<Command> batch) throws Exception {
    List<Outcome> outcomes = apply(call, batch);
    Detail detail = call.detail();
    return BlockAnswers.ofBatch(
        outcomes, out -> Outcomes.writeResults(out, batch, outcomes, detail));
  }

  /**
   * Waits for the rest of the caller's time. After that the outcomes of its commands are unknown.
   */
  private List<Outcome> apply(Call call, List<Command> batch) throws InterruptedException {
    List<Outcome> ifSilent = Collections.nCopies(batch.size(), WaitingRequests.SILENCE);
    CompletionStage<List<Outcome>> observed =
        commands.apply(batch).thenApply(outcomes -> events.tell(batch, outcomes, call.observer()));
    List<Outcome> outcomes = call.waitLimit().awaitCommands(observed, ifSilent);
    List<Outcome> told = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      Command command = batch.get(i);
      Outcome outcome = BlockAnswers.told(Command.KIND, outcomes.get(i));
      told.add(
          RowUnlocking.isFor(command, outcome)
              ? call.waitLimit().await(unlocked(command, outcome), outcome)
              : outcome);
    }
    return told;
  }

  private CompletionStage<Outcome> unlocked(Command command, Outcome outcome) {
    return unlocking.after(
        command,
        outcome,
        again ->
            commands
                .apply(List.of(again))
                .thenApply(outcomes -> BlockAnswers.told(Command.KIND, outcomes.getFirst())));
  }

  private static ApiResponse rendered(LeaseKey key, Outcome outcome, Detail detail) {
    return switch (outcome) {
      case Outcome.Held o -> conflict(key, outcome, "Held by another");
      case Outcome.Closed o -> conflict(key, outcome, "Closed");
      case Outcome.Changed o -> conflict(key, outcome, "Changed");
      case Outcome.Ended o -> conflict(key, outcome, "Ended");
      case Outcome.Lost o -> conflict(key, outcome, "Lost");
      case Outcome.Rejected rejected ->
          ApiResponse.problem(
              new Problem(Status.BAD_REQUEST, "Rejected", rejected.why()),
              out -> Outcomes.write(out, key, outcome, detail));
      case Outcome.Failed failed ->
          ApiResponse.problem(
              ProblemException.failed(Stream.of(failed.certainty())).problem(),
              out -> Outcomes.write(out, key, outcome, detail));
      default -> ApiResponse.json(out -> Outcomes.write(out, key, outcome, detail));
    };
  }

  private static ApiResponse conflict(LeaseKey key, Outcome outcome, String title) {
    String detail =
        switch (outcome) {
          case Outcome.Held held -> key + " is held by " + held.by();
          case Outcome.Closed closed -> key + " is closed: " + closed.reason();
          case Outcome.Changed changed -> key + " is no longer as it was expected";
          case Outcome.Abandoned abandoned ->
              "this request was abandoned before, and is not granted: use another request id";
          case Outcome.Ended ended -> "this request was granted before, and that grant has ended";
          default -> "this grant of " + key + " is not, or no longer, the caller's";
        };
    return ApiResponse.problem(
        new Problem(Status.CONFLICT, title, detail),
        out -> Outcomes.write(out, key, outcome, Detail.BRIEF));
  }
}
