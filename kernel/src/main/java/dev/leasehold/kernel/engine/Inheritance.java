package dev.leasehold.kernel.engine;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.batches.Answer;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Takes over one grant for its heir. The heir trusts nothing before its own first renewal. If the
 * answer comes so late that little trust is left, the heir renews again. A grant that cannot be
 * taken over is given back.
 */
final class Inheritance {
  private final Holdings holdings;
  private final Environment environment;
  private final AcquireRequest wanted;
  private final Token token;
  private final Contender.Caller caller;
  private long deadlineNanos;

  Inheritance(Holdings holdings, AcquireRequest wanted, Token token, Contender.Caller caller) {
    this.holdings = holdings;
    this.environment = holdings.environment();
    this.wanted = wanted;
    this.token = token;
    this.caller = caller;
  }

  void ask(long forNanos) {
    deadlineNanos = environment.now() + forNanos;
    ask();
  }

  private void ask() {
    // The heir renews for its own ttl. With the giver's shorter one, the grant could expire between
    // two renewals.
    OptionalLong ttlMillis = OptionalLong.of(wanted.terms().ttlMillis());
    Command renew = new Command.Renew(wanted.key(), token, wanted.instance(), ttlMillis, 0);
    holdings.delivery().deliver(renew, deadlineNanos - environment.now(), this::receive);
  }

  private void receive(Answer<Outcome> answer) {
    if (!(answer.outcome() instanceof Outcome.OfRenew told)) {
      disbelieve("the store answered a renewal by " + answer.outcome());
      return;
    }
    switch (told) {
      case Outcome.Renewed renewed -> renewed(renewed.remainingMillis(), answer);
      case Outcome.Lost lost -> caller.receiver().receive(new Verdict.Gone(lost.reason()));
      case Outcome.Rejected rejected ->
          caller.receiver().receive(new Verdict.Rejected(rejected.why()));
      case Outcome.Failed failed ->
          giveBack(new Verdict.Failed("the store did not answer the heir's first renewal"));
    }
  }

  private void disbelieve(String broken) {
    Invariants.report(wanted.key(), broken);
    giveBack(new Verdict.Failed(broken));
  }

  private void renewed(long remainingMillis, Answer<Outcome> answer) {
    Optional<String> broken = Invariants.brokenByRemaining(remainingMillis, Limits.MAX_TTL_MILLIS);
    if (broken.isPresent()) {
      disbelieve(broken.get());
      return;
    }
    long trustUntil = wanted.timing().trustUntil(answer.sentNanos(), remainingMillis);
    if (holdings.isShuttingDown()) {
      giveBack(new Verdict.Cancelled());
    } else if (trustUntil - wanted.timing().graceNanos() - environment.now() > 0) {
      win(remainingMillis, trustUntil);
    } else if (deadlineNanos - environment.now() > 0) {
      ask();
    } else {
      giveBack(new Verdict.Failed("the store answers too slowly for this ttl"));
    }
  }

  /** The giver's grant may last longer than the heir's ttl. */
  private void win(long remainingMillis, long trustUntilNanos) {
    long longest = Math.max(wanted.terms().ttlMillis(), remainingMillis);
    HeldLease.Claimed claimed = HeldLease.Claimed.of(wanted, token, longest);
    caller.receiver().receive(holdings.inherited(claimed, trustUntilNanos, caller.listener()));
  }

  private void giveBack(Verdict verdict) {
    Command release =
        new Command.Release(wanted.key(), token, wanted.instance(), holdings.newRequestId());
    holdings.delivery().deliver(release, wanted.longestGrantNanos(), answer -> {});
    caller.receiver().receive(verdict);
  }
}
