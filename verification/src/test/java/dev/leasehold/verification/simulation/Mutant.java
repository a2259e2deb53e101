package dev.leasehold.verification.simulation;

import java.util.List;

/** A defect planted into a copy of the holder's side, or of the simulated user's code. */
enum Mutant {
  DEADLINE_COUNTED_FROM_THE_REPLY(
      Edit.keeper(
          "lease.timing().trustUntil(sentNanos, remainingMillis)",
          "lease.timing().trustUntil(environment.now(), remainingMillis)")),
  RENEWAL_COUNTED_FROM_AFTER_THE_SEND(
      Edit.keeper(
          "wire.send(leases.stream().map(Keeper::renewal).toList(), this);",
          "wire.send(leases.stream().map(Keeper::renewal).toList(), this);"
              + " sentNanos = environment.now();")),
  COMMAND_COUNTED_FROM_AFTER_THE_SEND(
      Edit.gatherer(
          "wire.send(calls.stream().map(call -> call.command).toList(), this);",
          "wire.send(calls.stream().map(call -> call.command).toList(), this);"
              + " sentNanos = environment.now();")),
  GRANT_COUNTED_FROM_THE_REPLY(
      Edit.contender(
          "long trustUntil = wanted.timing().trustUntil(answer.sentNanos(), remainingMillis);",
          "long trustUntil = wanted.timing().trustUntil(environment.now(), remainingMillis);")),
  CONFIRMATION_COUNTED_FROM_THE_REPLY(
      Edit.contender(
          "wanted.timing().trustUntil(answer.sentNanos(), renewed.remainingMillis());",
          "wanted.timing().trustUntil(environment.now(), renewed.remainingMillis());")),
  INHERITANCE_COUNTED_FROM_THE_REPLY(
      Edit.engine(
          "Inheritance",
          "wanted.timing().trustUntil(answer.sentNanos(), remainingMillis);",
          "wanted.timing().trustUntil(environment.now(), remainingMillis);")),
  ANSWER_SAYS_THAT_IT_WAS_SENT_NOW(
      Edit.gatherer(
          "call.receiver.receive(new Answer<>(outcome, sentNanos));",
          "call.receiver.receive(new Answer<>(outcome, Math.max(sentNanos, environment.now())));")),
  NEXT_RENEWAL_COUNTED_FROM_THE_REPLY(
      Edit.keeper("planRenewal(lease, sentNanos);", "planRenewal(lease, environment.now());")),
  TOLD_OF_THE_LOSS_WHILE_STILL_TRUSTED(
      Edit.engine(
          "HeldLease", "      over = Optional.of(reason);\n      // The store", "// The store"),
      Edit.engine(
          "HeldLease",
          "      tell(\"that it is lost\", () -> listener.lost(reason));",
          "      tell(\"that it is lost\", () -> listener.lost(reason));"
              + " over = Optional.of(reason);")),
  SLEEP_NOT_COUNTED(
      Edit.ticker("Math.max(slept, drift(next.nanos, next.wallMillis))", "Math.min(slept, 0)")),
  SUSPENSION_OF_A_VIRTUAL_MACHINE_NOT_COUNTED(
      Edit.ticker(
          "Math.max(slept, drift(next.nanos, next.wallMillis))",
          "bootNanos.isPresent() ? slept : drift(next.nanos, next.wallMillis)")),
  DEADLINE_KEPT_AS_A_FLAG(
      Edit.engine(
          "HeldLease", "Math.max(0, trustUntilNanos() - nowNanos)", "trustUntilNanos == 0 ? 0 : 1"),
      Edit.keeper(
          "long trust = lease.trustNanos(nowNanos);",
          "long trust = Math.max(0, lease.trustUntilNanos() - nowNanos);")),
  RETRYS_ANSWER_TRUSTED_FOR_A_FULL_TTL(
      Edit.contender(
          "long trustUntil = wanted.timing().trustUntil(answer.sentNanos(), remainingMillis);",
          "long trustUntil = answer.sentNanos() + wanted.timing().ttlNanos()"
              + " - wanted.timing().marginNanos();")),
  NO_MARGIN(Edit.engine("Timing", " - Math.max(marginNanos, remaining / MARGINS_PER_TTL)", "")),
  RENEWALS_SHARE_THE_LANE(
      Edit.holdings("new Keeper(wires.renewals(),", "new Keeper(wires.commands(),")),
  LOSS_SWALLOWED(Edit.keeper("    lease.lose(reason);\n", "")),
  RELEASED_BEFORE_THE_WORK_STOPPED(
      Edit.holdings(
          "ending.begin();",
          "keeper.all().forEach(lease -> release(lease, answer -> {})); ending.begin();")),
  HEIR_TRUSTS_BEFORE_ITS_FIRST_RENEWAL(
      Edit.engine(
          "Inheritance",
          "    deadlineNanos = environment.now() + forNanos;\n    ask();",
          "    win(wanted.terms().ttlMillis(), environment.now()"
              + " + wanted.timing().ttlNanos() - wanted.timing().marginNanos());")),
  NO_SEAL_BEFORE_READING(
      Edit.user("around.targets().seal(mine.key(), mine.token())", "mine.token() != null")),
  CONTENDER_WAITS_FOR_AN_EVENT_ONLY(
      Edit.contender("    waitFor(delayNanos);", "    timer = Optional.of(() -> {});")),
  ONE_FAILED_BATCH_ENDS_KEEP_ALIVE(
      Edit.keeper(
          "public void failed(String why) {\n      retryInParts();",
          "public void failed(String why) {\n      settle();")),
  GIVEN_UP_AND_NOT_ABANDONED(
      Edit.contender(
          "} else if (maybeGranted) {", "} else if (maybeGranted && verdict == null) {")),
  NEW_REQUEST_ID_FOR_EACH_ATTEMPT(Edit.contender("    refreshRequest();\n", "    newRequest();\n")),
  TRUST_MOVES_BACK(
      Edit.engine("HeldLease", "newTrustUntilNanos - trustUntilNanos > 0", "trustUntilNanos != 0")),
  LATE_GRANT_TRUSTED_WITHOUT_CONFIRMING(
      Edit.contender("      confirm(token, trustUntil);", "      win(token, trustUntil);")),
  KEEPER_STOPS_AFTER_A_LOSS(
      Edit.keeper(
          "    renew(due);\n    arm();",
          "renew(due); if (woken.stream().allMatch(lease -> lease.over().isEmpty())) { arm(); }")),
  RELEASE_REPEATED_UNDER_A_NEW_ID(
      Edit.engine(
          "Delivery",
          "gatherer.submit(pending.command(), ",
          "gatherer.submit(failures > 0 && pending.command() instanceof Command.Release r"
              + " ? new Command.Release(r.key(), r.token(), r.instance(),"
              + " new dev.leasehold.kernel.model.RequestId(\"again-\" + failures"
              + " + r.requestId().text().substring(9)))"
              + " : pending.command(), ")),
  UNREACHABLE_AT_THE_FIRST_FAILURE(
      Edit.keeper(
          "lease.trustNanos(now) / 4));\n      lease.failures++;",
          "lease.trustNanos(now) / 4));\n      lease.failures++;"
              + " forget(lease); lease.lose(new LossReason.Unreachable());")),
  ONE_HUNG_RENEWAL_BLOCKS_OTHERS(Edit.keeper("int PARTS = 32;", "int PARTS = 1;")),
  RETRIES_TOO_SELDOM(
      Edit.keeper(
          "Math.min(longest, Math.min(backoff, lease.trustNanos(now) / 4))",
          "lease.timing().ttlNanos() + backoff / 4")),
  NOT_TOLD_TO_STOP(Edit.engine("HeldLease", "      tell(\"that it ends\", listener::ending);", "")),
  PROGRESS_NOT_SENT(
      Edit.keeper("lease.renewalTtlMillis(), lease.progress());", "lease.renewalTtlMillis(), 0);")),
  HINT_FORGOTTEN_WHILE_ASKING(
      Edit.contender("    hinted = true;\n", ""),
      Edit.contender(
          "    over = over.filter(known -> !token.isAbove(known)).or(() -> Optional.of(token));\n",
          "")),
  END_OF_THE_VERY_GRANT_TAKEN_FOR_OLD(
      Edit.contender("&& held.token().isAbove(token)", "&& !token.isAbove(held.token())")),
  ASK_PUT_OFF_FOR_GOOD(Edit.engine("Contention", "        prompt(over);\n", "")),
  FIRST_RENEWAL_COUNTED_FROM_THE_REPLY(
      Edit.keeper("planRenewal(lease, now - spent);", "planRenewal(lease, now);")),
  HEIR_TRUSTS_A_LATE_ANSWER(
      Edit.engine(
          "Inheritance",
          "trustUntil - wanted.timing().graceNanos() - environment.now() > 0",
          "true")),
  GIVEN_UP_INHERITANCE_KEPT(
      Edit.engine(
          "Inheritance",
          "holdings.delivery().deliver(release, wanted.longestGrantNanos(), answer -> {});",
          "")),
  REFUSED_HEIRS_LEASE_KEPT(Edit.holdings("giveBack(lease, released -> {});", "")),
  HEIR_WINS_WHILE_ALL_SHUTS_DOWN(
      Edit.engine("Inheritance", "if (holdings.isShuttingDown()) {", "if (holdings == null) {")),
  WITNESS_IGNORES_UNKNOWN(
      Edit.keeper(
          "told.lost(lease, reason);",
          "told.lost(lease, reason instanceof LossReason.Unknown"
              + " ? new LossReason.Expired() : reason);")),
  WITNESS_IGNORES_AN_EQUAL_TOKEN(
      Edit.engine(
          "SeenGrants",
          "before != null && !token.isAbove(before.token())",
          "before != null && before.token().isAbove(token)")),
  WITNESS_LETS_OTHERS_WAIT(
      Edit.holdings("List.copyOf(contenders).forEach(contender -> contender.end(unsafe()));", "")),
  WITNESS_CRIES_WOLF(
      Edit.keeper(
          "told.lost(lease, reason);",
          "told.lost(lease, reason instanceof LossReason.Superseded"
              + " ? new LossReason.Unknown() : reason);")),
  HINT_TAKEN_FOR_A_GRANT(
      Edit.contender(
          "    hinted = true;\n    if (isIdle()) {",
          "    hinted = true;\n    if (!asking && last.orElse(null) instanceof Verdict.Held held) {"
              + " win(held.token().next(held.token().incarnation()), environment.now()"
              + " + wanted.timing().ttlNanos() - wanted.timing().marginNanos());"
              + " } else if (isIdle()) {")),
  HINT_WITHOUT_LISTENER_KEEPS_A_WATCH(
      Edit.holdings(
          "contentionOf(key).ifPresent(Contention::hint);", "contentionFor(key).hint();")),
  WATCH_IS_NEVER_ENDED(
      Edit.wires("return () -> callbacks.execute(() -> end(key, begun));", "return () -> {};")),
  WATCH_THAT_IS_ENDED_BEFORE_IT_HAS_BEGUN_STAYS(
      Edit.wires(
          "        begun.thenAccept(",
          "        CompletableFuture.completedFuture(begun.getNow(() -> {})).thenAccept(")),
  WATCH_BEGINS_IN_SILENCE(Edit.wires("      listener.reset();\n", "")),
  EXPECTATION_DROPPED(
      Edit.contender("wanted.terms(), wanted.expected())", "wanted.terms(), Optional.empty())")),
  TIME_IS_NEVER_UP(
      Edit.engine(
          "HeldLease", "return until - endsAtNanos < 0 ? until : endsAtNanos;", "return until;")),
  OUT_OF_TIME_IS_NOT_TOLD(
      Edit.keeper(
          "long trustEnds = lease.trustUntilNanos();", "long trustEnds = lease.lastWordNanos();"),
      Edit.engine(
          "HeldLease",
          "  /** The work under the lease has made progress. */",
          "  long lastWordNanos() {\n    return trustUntilNanos;\n  }\n")),
  OUT_OF_TIME_AND_NEVER_GIVEN_BACK(
      Edit.engine("HeldLease", "        || reason instanceof LossReason.OutOfTime\n", "")),
  KEPT_AND_GIVEN_BACK_AT_ONCE(Edit.holdings("        keptNanos,\n", "        0,\n")),
  LONG_GRANT_TRUSTED_TO_ITS_LAST_SECONDS(
      Edit.engine("Timing", "Math.max(marginNanos, remaining / MARGINS_PER_TTL)", "marginNanos"));

  @SuppressWarnings("ImmutableEnumChecker") // an immutable list of records
  private final List<Edit> edits;

  Mutant(Edit... edits) {
    this.edits = List.of(edits);
  }

  List<Edit> edits() {
    return edits;
  }

  /** One replacement in one source file; the replaced text must occur exactly once. */
  record Edit(String file, String find, String replace) {
    static Edit engine(String type, String find, String replace) {
      return new Edit(
          "kernel/src/main/java/dev/leasehold/kernel/engine/" + type + ".java", find, replace);
    }

    static Edit keeper(String find, String replace) {
      return engine("Keeper", find, replace);
    }

    static Edit contender(String find, String replace) {
      return engine("Contender", find, replace);
    }

    static Edit holdings(String find, String replace) {
      return engine("Holdings", find, replace);
    }

    static Edit gatherer(String find, String replace) {
      return new Edit(
          "kernel/src/main/java/dev/leasehold/kernel/batches/Gatherer.java", find, replace);
    }

    static Edit ticker(String find, String replace) {
      return new Edit(
          "kernel/src/main/java/dev/leasehold/kernel/spi/SystemTicker.java", find, replace);
    }

    static Edit wires(String find, String replace) {
      return new Edit(
          "kernel/src/main/java/dev/leasehold/kernel/wires/StoreWires.java", find, replace);
    }

    static Edit user(String find, String replace) {
      return new Edit(
          "verification/src/test/java/dev/leasehold/verification/simulation/Actor.java",
          find,
          replace);
    }
  }
}
