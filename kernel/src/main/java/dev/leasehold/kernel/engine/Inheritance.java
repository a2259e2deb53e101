package dev.leasehold.kernel.engine;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;

/**
 * One heir on its way to its lease. Nothing is trusted before its own first renewal, and an answer
 * that comes too late for any work is asked for again. What cannot be taken over is given back.
 */
final class Inheritance {
  private final Holdings holdings;
  private final Environment environment;
  private final Wanted wanted;
  private final Token token;
  private final Contender.Caller caller;
  private long deadlineNanos;

  Inheritance(Holdings holdings, Wanted wanted, Token token, Contender.Caller caller) {
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
    Command renew = Command.Renew.of(wanted.key(), token, wanted.instance());
    holdings.delivery().deliver(renew, deadlineNanos - environment.now(), this::take);
  }

  private void take(Answer answer) {
    switch (answer.outcome()) {
      case Outcome.Renewed renewed -> renewed(renewed.remainingMillis(), answer);
      case Outcome.Lost lost -> caller.taker().take(new Verdict.Gone(lost.reason()));
      case Outcome.Rejected rejected -> caller.taker().take(new Verdict.Refused(rejected.why()));
      default ->
          giveBack(new Verdict.Unanswered("the store did not answer the heir's first renewal"));
    }
  }

  private void renewed(long remainingMillis, Answer answer) {
    long trustUntil = wanted.timing().trustUntil(answer.sentNanos(), remainingMillis);
    if (holdings.isShuttingDown()) {
      giveBack(new Verdict.Cancelled());
    } else if (trustUntil - wanted.timing().graceNanos() - environment.now() > 0) {
      caller.taker().take(holdings.won(wanted, token, trustUntil, caller.listener()));
    } else if (deadlineNanos - environment.now() > 0) {
      ask();
    } else {
      giveBack(new Verdict.Unanswered("the store answers too slowly for this ttl"));
    }
  }

  private void giveBack(Verdict verdict) {
    Command release =
        new Command.Release(wanted.key(), token, wanted.instance(), holdings.newRequestId());
    holdings.delivery().deliver(release, wanted.timing().ttlNanos(), answer -> {});
    caller.taker().take(verdict);
  }
}
