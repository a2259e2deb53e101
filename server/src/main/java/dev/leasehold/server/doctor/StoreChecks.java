package dev.leasehold.server.doctor;

import dev.leasehold.kernel.audit.AuditReport;
import dev.leasehold.kernel.audit.Finding;
import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.store.jdbc.SchemaCreators;
import dev.leasehold.store.jdbc.status.ClockSteps;
import dev.leasehold.store.jdbc.status.LockHolder;
import dev.leasehold.store.jdbc.status.WitnessState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Judges facts about an open store. */
public final class StoreChecks {
  /** Checks in users' transactions end when trust ends, and the default ttl is 30 s. */
  static final Duration LONGEST_LOCK = Duration.ofSeconds(10);

  private static final int MOST_HOLES = 20;

  /** An operator should act on a clock step that is more recent than this. */
  private static final Duration STEP_IS_NEWS = Duration.ofDays(1);

  private StoreChecks() {}

  /** The diagnosis of a store that could not be opened. */
  public static Diagnosis unopened(String why) {
    return new Diagnosis.Problem(
        "opening",
        "no command gets through, and the other checks were left out: " + why,
        "correct this, and look again");
  }

  /**
   * The diagnosis of a store whose schema has another version: the store is not opened for an
   * examination.
   */
  public static Diagnosis leftOut() {
    return new Diagnosis.Warning(
        "opening",
        "the other checks were left out, because they need the schema of this program",
        "correct the schema, and look again");
  }

  static Diagnosis delivery(boolean delivered) {
    return delivered
        ? new Diagnosis.Ok("delivery", "hints reach other processes")
        : new Diagnosis.Problem(
            "delivery",
            "a notification that was sent did not come back on another connection: a waiter in"
                + " another process learns of a release only by its timer",
            "connect to the database itself, or through a pooler in session mode");
  }

  /**
   * These steps are known only to the process that was asked: a process sees a clock step only if
   * it runs while the step happens.
   */
  static Diagnosis clockSteps(ClockSteps steps) {
    if (steps.last().isEmpty()) {
      return new Diagnosis.Ok(
          "clock-step", "the database's clock has not stepped while this process ran");
    }
    ClockSteps.Step last = steps.last().get();
    String what =
        "the database's clock has stepped against this process's, in all "
            + steps.count()
            + " times; the last time "
            + (last.millis() > 0 ? "forward by " : "back by ")
            + Math.abs(last.millis())
            + " ms, "
            + last.ago().toSeconds()
            + " s ago";
    return last.ago().compareTo(STEP_IS_NEWS) > 0
        ? new Diagnosis.Warning("clock-step", what, "see that it does not happen again")
        : new Diagnosis.Problem(
            "clock-step",
            what
                + (last.millis() > 0
                    ? ": leases ended early by that, and work of two holders may have met"
                    : ": leases that are not given back last longer by that"),
            "let the database's machine slew its clock instead of stepping it, and look whether"
                + " fences refused writes since (leasehold audit)");
  }

  /**
   * The store's own statements do not use these schemas, but those of other applications may. Empty
   * on databases without such rights.
   */
  static List<Diagnosis> creators(SchemaCreators creators) {
    return creators.schema().isEmpty() ? List.of() : List.of(createdBy(creators));
  }

  private static Diagnosis createdBy(SchemaCreators creators) {
    if (creators.roles().isEmpty()) {
      return new Diagnosis.Ok("creators", "only its owner creates in the store's schema");
    }
    String roles = String.join(", ", creators.roles());
    return new Diagnosis.Warning(
        "creators",
        "in the store's schema, "
            + creators.schema()
            + ", others may create: "
            + roles
            + "; a function or an operator of theirs can change what statements of yours mean",
        "REVOKE CREATE ON SCHEMA " + creators.schema() + " FROM " + roles);
  }

  /** A command that ends or replaces a grant waits for these locks. */
  static Diagnosis locks(List<LockHolder> holders) {
    if (holders.isEmpty()) {
      return new Diagnosis.Ok(
          "locks",
          "no transaction has had a lease's row locked for longer than "
              + LONGEST_LOCK.toSeconds()
              + " s");
    }
    return new Diagnosis.Warning(
        "locks",
        "leases' rows are locked, and their takeover waits: "
            + holders.stream()
                .limit(MOST_HOLES)
                .map(LockHolder::toString)
                .collect(Collectors.joining("; ")),
        "let it commit or end it, by "
            + holders.getFirst().endedBy()
            + " or by leasehold lease revoke KEY --now --why TEXT; AtEffect.check"
            + " bounds a transaction by the trust that is left, so that the server ends it"
            + (holders.stream().anyMatch(LockHolder::isHidden)
                ? "; GRANT pg_read_all_stats TO the store's role, to see for how long they last"
                : ""));
  }

  /** A refusal is judged first: it shows that the witness is ahead of the store. */
  static Diagnosis witness(WitnessState state, Optional<String> refusal) {
    if (refusal.isPresent()) {
      return new Diagnosis.Problem("witness", refusal.get(), "do what it says, and look again");
    }
    return switch (state) {
      case WitnessState.Found found ->
          new Diagnosis.Ok(
              "witness",
              "the store has all that the witness has seen, up to incarnation "
                  + found.incarnation());
      case WitnessState.Together together ->
          new Diagnosis.Warning(
              "witness",
              "the witness lies in the folder of the SQLite file: a restore of the folder takes"
                  + " both back unnoticed",
              "keep --data on another disk");
      case WitnessState.Begun begun ->
          new Diagnosis.Ok(
              "witness", "a witness is kept since this process has opened the store, none before");
      case WitnessState.Failing failing ->
          new Diagnosis.Problem(
              "witness",
              "the witness file cannot be written, so a restart would lose the evidence: "
                  + failing.why(),
              "let the process write to the folder of --data");
      case WitnessState.Empty empty ->
          new Diagnosis.Warning(
              "witness",
              "the folder of --data knows nothing of this store, so it would not know that it was"
                  + " restored from a backup",
              "by --data, name the folder that serve uses, on another disk");
      case WitnessState.None none ->
          new Diagnosis.Warning(
              "witness",
              "nothing outside the database would show that it was restored from a backup",
              "name a folder on another disk by --data");
    };
  }

  /**
   * Replicas of two versions are expected only during an upgrade, and only if the versions are
   * neighbours.
   */
  static Diagnosis versions(Optional<String> own, List<AnnouncedServer> servers) {
    TreeSet<String> versions = new TreeSet<>();
    own.ifPresent(versions::add);
    servers.forEach(server -> versions.add(server.version()));
    String named =
        servers.stream()
            .map(server -> server.version() + " at " + server.address())
            .collect(Collectors.joining(", "));
    if (versions.size() < 2) {
      return new Diagnosis.Ok(
          "versions",
          servers.isEmpty()
              ? "no server has announced itself, and on SQLite none does"
              : "servers: " + named);
    }
    String what = "servers: " + named + own.map(mine -> "; this program is " + mine).orElse("");
    return versions.stream().allMatch(one -> Release.areNeighbours(one, versions.first()))
            && versions.stream().allMatch(one -> Release.areNeighbours(one, versions.last()))
        ? new Diagnosis.Warning(
            "versions", what, "finish the upgrade: two versions may run only during an upgrade")
        : new Diagnosis.Problem(
            "versions",
            what + ": these are more than one minor release apart",
            "upgrade one minor release at a time, all replicas before the next");
  }

  /**
   * One diagnosis for each gap, up to a page of them; suspected rollbacks have a name of their own.
   * A lease whose kind no target has seen, such as a script's, needs no charter.
   *
   * @param metByTargets kinds whose tokens have reached a target
   */
  static List<Diagnosis> audit(AuditReport report, Set<String> metByTargets) {
    List<Diagnosis> all = new ArrayList<>();
    List<Finding> holes =
        report.holes().stream().filter(hole -> !isOfScripts(hole, metByTargets)).toList();
    if (holes.stream().noneMatch(StoreChecks::isRollback)) {
      all.add(new Diagnosis.Ok("rollbacks", "no target has seen a token that was never issued"));
    }
    boolean anyOfScripts = holes.size() < report.holes().size();
    if (!anyOfScripts && holes.stream().allMatch(StoreChecks::isRollback)) {
      all.add(new Diagnosis.Ok("audit", "the audit has found no hole"));
    }
    holes.stream().limit(MOST_HOLES).map(StoreChecks::hole).forEach(all::add);
    if (holes.size() > MOST_HOLES) {
      all.add(
          new Diagnosis.Problem(
              "audit",
              holes.size() - MOST_HOLES + " more holes",
              "run leasehold audit, which shows all of them"));
    }
    if (anyOfScripts) {
      all.add(
          ofScripts(
              report.holes().stream().filter(hole -> isOfScripts(hole, metByTargets)).toList()));
    }
    return all;
  }

  private static Diagnosis ofScripts(List<Finding> holes) {
    return new Diagnosis.Warning(
        "audit",
        "no charter says what these kinds of leases protect, and no target has met them: "
            + holes.stream()
                .map(Finding::about)
                .limit(MOST_HOLES)
                .collect(Collectors.joining(", ")),
        "leave it so if scripts hold them, by leasehold exec; let a service open its Leases with a"
            + " charter, as docs/fences.md shows");
  }

  private static boolean isOfScripts(Finding hole, Set<String> metByTargets) {
    return hole.rule() == Finding.Rule.NO_CHARTER && !metByTargets.contains(hole.about());
  }

  private static boolean isRollback(Finding hole) {
    return hole.rule() == Finding.Rule.SUSPECTED_ROLLBACK;
  }

  private static Diagnosis hole(Finding hole) {
    return new Diagnosis.Problem(
        isRollback(hole) ? "rollbacks" : "audit", hole.about() + ": " + hole.what(), hole.remedy());
  }
}
