package dev.leasehold.server.http;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.FenceFullException;
import dev.leasehold.fence.Texts;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.remote.api.FenceApi;
import dev.leasehold.remote.wire.Claims;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.remote.wire.Problem;
import dev.leasehold.remote.wire.Refusals;
import dev.leasehold.server.security.Permission;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * {@code POST /v1/fences/{target}/admit} and {@code seal}: marks for targets that keep none of
 * their own. An admission that a caller asks for before its write is advisory, and the audit says
 * so.
 */
public final class FenceEndpoints {
  private static final String ADMITTED = "admitted";

  private final Function<String, Fence> fences;
  private final RefusalLog refusals;

  public FenceEndpoints(Function<String, Fence> fences, Ledger ledger) {
    this.fences = fences;
    this.refusals = new RefusalLog(ledger);
  }

  public List<Route> routes() {
    return List.of(
        Route.of(FenceApi.ADMIT, call -> answer(call, Fence::admit)),
        Route.of(FenceApi.SEAL, call -> answer(call, Fence::seal)));
  }

  private ApiResponse answer(Call call, BiFunction<Fence, Claim, Admission> question)
      throws Exception {
    String target = call.value("target");
    Texts.requireOneLine("target", target, 1, LeaseCharter.Target.MAX_NAME);
    Members members = call.json();
    Claim claim = Claims.read(members, call.principal().name());
    members.nothingElse();
    call.require(Permission.HOLD, claim.key());
    Fence fence = fences.apply(target);
    return switch (call.await(beside(() -> question.apply(fence, claim)))) {
      case Admission.Admitted admitted -> {
        RequestSpans.outcome(ADMITTED);
        yield ApiResponse.json(out -> out.text("outcome", ADMITTED));
      }
      case Admission.Refused answer -> {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        LeaseObserver audit =
            event -> refusals.write(entry(target, claim, answer)).thenAccept(written::complete);
        call.observer()
            .with(audit)
            .observed(new LeaseEvent.Refused(claim.key(), Optional.of(claim.token()), target));
        // The decision is returned even if it cannot be written down in time.
        boolean unused = call.waitLimit().await(written, false);
        yield refusal(claim, answer);
      }
    };
  }

  private static LedgerEntry.Refused entry(String target, Claim claim, Admission.Refused answer) {
    return new LedgerEntry.Refused(
        RequestId.random(), target, claim, answer, answer instanceof Admission.Unissued);
  }

  /** A fence may take longer than the caller can wait. */
  private static CompletionStage<Admission> beside(Supplier<Admission> question) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return question.get();
          } catch (FenceFullException e) {
            throw ProblemException.tooMany(
                "there is no room for the mark of another key or target");
          }
        },
        Thread::startVirtualThread);
  }

  private static ApiResponse refusal(Claim claim, Admission.Refused answer) {
    RequestSpans.outcome(Refusals.word(answer));
    boolean stale = answer instanceof Admission.Stale;
    Problem problem =
        new Problem(
            Status.CONFLICT,
            "Token refused",
            "token "
                + claim.token()
                + " of "
                + claim.key()
                + (stale
                    ? " was followed by another; a caller that brings it is no longer the holder"
                    : " belongs to no grant: it was made up, or its issuer has lost writes"));
    return ApiResponse.problem(problem, out -> Refusals.write(out, answer));
  }
}
