package dev.leasehold.server.http;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.FenceFullException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Texts;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LeaseCharter;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.remote.api.FenceApi;
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.remote.wire.Problem;
import dev.leasehold.server.security.Permission;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * {@code POST /v1/fences/{target}/admit} and {@code seal}: marks for targets that keep none of
 * their own. An admit that is asked beforehand is advice, and the audit says so.
 */
public final class FenceEndpoints {
  private final Function<String, Fence> fences;
  private final RefusalLog refusals;
  private final Consumer<String> refused;

  /** {@code refused} is told the target of each refusal. */
  public FenceEndpoints(Function<String, Fence> fences, Ledger ledger, Consumer<String> refused) {
    this.fences = fences;
    this.refusals = new RefusalLog(ledger);
    this.refused = refused;
  }

  public List<Route> routes() {
    return List.of(
        Route.of(FenceApi.ADMIT, call -> answer(call, Fence::admit)),
        Route.of(FenceApi.SEAL, call -> answer(call, Fence::seal)));
  }

  private Answer answer(Call call, BiFunction<Fence, Claim, Admission> question) throws Exception {
    String target = call.value("target");
    Texts.requireOneLine("target", target, 1, LeaseCharter.Target.MAX_NAME);
    Members members = call.json();
    LeaseKey key = Commands.key(members);
    Token token = Commands.token(members);
    String who = members.textIfAny("holder").orElse(call.principal().name());
    members.nothingElse();
    call.require(Permission.HOLD, key);
    Claim claim = new Claim(key, token, who);
    Fence fence = fences.apply(target);
    return switch (call.await(beside(() -> question.apply(fence, claim)))) {
      case Admission.Admitted admitted -> Answer.json(out -> out.text("outcome", "admitted"));
      case Admission.Refused answer -> {
        refused.accept(target);
        // What is decided is said, also if it cannot be written down in time.
        boolean unused = call.patience().await(refusals.write(entry(target, claim, answer)), false);
        yield refusal(claim, answer);
      }
    };
  }

  private static LedgerEntry.Refused entry(String target, Claim claim, Admission.Refused answer) {
    return new LedgerEntry.Refused(
        RequestId.random(), target, claim, answer, answer instanceof Admission.Unissued);
  }

  /** A fence may take longer over it than the caller can wait. */
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

  private static Answer refusal(Claim claim, Admission.Refused answer) {
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
                    ? " was followed by another; whoever brings it is no longer the holder"
                    : " belongs to no grant: it was made up, or its issuer has lost writes"));
    return Answer.problem(
        problem,
        out -> {
          out.text("outcome", stale ? "stale" : "unissued");
          answer.bound().ifPresent(bound -> out.number("current", bound.value()));
        });
  }
}
