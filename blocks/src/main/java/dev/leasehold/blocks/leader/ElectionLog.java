package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.model.LossReason;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes an election's log lines, and keeps what its status shows. Used in turns. */
final class ElectionLog {
  private static final System.Logger LOG = System.getLogger(Election.class.getName());

  private final ElectionSettings settings;
  private final String replica;

  /** The level of ordinary events; a single replica logs them as debug. */
  private final Level usual;

  private final Map<String, Failures> failures = new HashMap<>();
  private Optional<Leader> leader = Optional.empty();
  private Optional<String> lastError = Optional.empty();
  private boolean blocked;
  private long listenerErrors;
  private long sinceNanos;

  /** The failures of one loop. */
  private record Failures(long count, String last) {}

  ElectionLog(ElectionSettings settings, String replica, long nowNanos) {
    this.settings = settings;
    this.replica = replica;
    this.usual = settings.expectsOthers() ? Level.INFO : Level.DEBUG;
    this.sinceNanos = nowNanos;
  }

  void became(Role role, long nowNanos) {
    sinceNanos = nowNanos;
    LOG.log(Level.DEBUG, "{0}: {1} is {2}", settings.name(), replica, role);
  }

  void elected(Term term) {
    blocked = false;
    LOG.log(usual, "{0}: {1} is elected under token {2}", settings.name(), replica, term.token());
  }

  void lost(Term term, LossReason reason) {
    Level level = reason instanceof LossReason.Released ? usual : Level.INFO;
    LOG.log(
        level,
        "{0}: {1} leads no longer, token {2} is over: {3}",
        settings.name(),
        replica,
        term.token(),
        reason);
  }

  void leaseReleased(Term term, Release release) {
    LOG.log(
        usual,
        "{0}: {1} has given token {2} back: {3}",
        settings.name(),
        replica,
        term.token(),
        release);
  }

  /** Whether the token is above that of the leader seen last. */
  boolean isNew(Leader seen) {
    return leader.filter(before -> !seen.token().isAbove(before.token())).isEmpty();
  }

  void observed(Leader seen) {
    leader = Optional.of(seen);
    LOG.log(
        Level.DEBUG,
        "{0}: {1} sees that {2} leads under token {3}",
        settings.name(),
        replica,
        seen.holder(),
        seen.token());
  }

  Optional<Leader> leader() {
    return leader;
  }

  /** A candidate waits, and not because another leads. Logs a warning the first time. */
  void waitsBlocked(String why) {
    lastError = Optional.of(why);
    LOG.log(
        blocked ? Level.DEBUG : Level.WARNING,
        "{0}: {1} waits, but cannot be elected: {2}",
        settings.name(),
        replica,
        why);
    blocked = true;
  }

  void waitsForLeader() {
    blocked = false;
  }

  /** An attempt failed, and not because another replica leads. */
  void notWon(String why) {
    lastError = Optional.of(why);
    LOG.log(
        Level.WARNING, "{0}: {1} is no candidate for a moment: {2}", settings.name(), replica, why);
  }

  void listenerFailed(Throwable failure) {
    listenerErrors++;
    lastError = Optional.of("a listener failed: " + failure);
    LOG.log(Level.ERROR, "a listener of election " + settings.name() + " failed", failure);
  }

  void loopFailed(LeaderLoop loop, Throwable failure) {
    long before = failures.getOrDefault(loop.name(), new Failures(0, "")).count();
    failures.put(loop.name(), new Failures(before + 1, failure.toString()));
    lastError = Optional.of("loop " + loop.name() + " failed: " + failure);
    LOG.log(
        Level.WARNING,
        "loop " + loop.name() + " of " + settings.name() + " failed; it is begun again later",
        failure);
  }

  void closed(List<String> running) {
    if (!running.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "{0}: {1} is closed, but {2} still runs; the lease is left to run out",
          settings.name(),
          replica,
          running);
    }
  }

  ElectionStatus status(Role role, Optional<TermRunner> runner) {
    List<LoopStatus> loops = new ArrayList<>();
    for (LeaderLoop loop : settings.loops()) {
      Optional<Failures> failed = Optional.ofNullable(failures.get(loop.name()));
      loops.add(
          new LoopStatus(
              loop.name(),
              runner.map(now -> now.activityOf(loop)).orElse(LoopStatus.Activity.IDLE),
              failed.map(Failures::count).orElse(0L),
              failed.map(Failures::last)));
    }
    return new ElectionStatus(
        settings.name(),
        replica,
        role,
        role == Role.LEADER ? runner.map(TermRunner::term) : Optional.empty(),
        leader,
        sinceNanos,
        runner.map(TermRunner::running).orElse(List.of()),
        loops,
        lastError,
        listenerErrors);
  }
}
