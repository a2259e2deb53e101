package dev.leasehold.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.audit.AuditReport;
import dev.leasehold.kernel.audit.Finding;
import dev.leasehold.kernel.audit.Finding.Rule;
import dev.leasehold.kernel.audit.Finding.Severity;
import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.store.jdbc.SchemaCreators;
import dev.leasehold.store.jdbc.status.ClockSteps;
import dev.leasehold.store.jdbc.status.LockHolder;
import dev.leasehold.store.jdbc.status.WitnessState;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From the facts about an open store to the advice. */
class StoreChecksTest {
  @ParameterizedTest
  @CsvSource({
    "'',ok",
    "0.1.0,ok",
    "0.1.0 0.1.0,ok",
    "0.1.0 0.1.1,warning",
    "0.1.0-SNAPSHOT 0.2.0,warning",
    "0.1.0 0.2.0 0.3.0,problem",
    "0.1.0 0.3.0,problem",
    "0.9.0 0.10.0,warning",
    "0.1.0 1.1.0,problem",
    "0.1.0 unknown,problem"
  })
  void serversOfSeveralVersions(String versions, String verdict) {
    List<AnnouncedServer> servers =
        Stream.of(versions.split(" ", -1))
            .filter(version -> !version.isEmpty())
            .map(version -> new AnnouncedServer(version, "http://a:7420"))
            .toList();
    Diagnosis found = StoreChecks.versions(Optional.empty(), servers);
    assertThat(found.verdict()).as(found.what()).isEqualTo(verdict);
    servers.forEach(server -> assertThat(found.what()).contains(server.version(), "http://a"));
  }

  @Test
  void theProgramThatLooksIsOneOfThem() {
    List<AnnouncedServer> servers = List.of(new AnnouncedServer("0.2.0", "http://a:7420"));
    assertThat(StoreChecks.versions(Optional.of("0.2.0"), servers).verdict()).isEqualTo("ok");
    assertThat(StoreChecks.versions(Optional.of("0.1.0"), servers).verdict()).isEqualTo("warning");
    assertThat(StoreChecks.versions(Optional.of("0.1.0"), List.of()).verdict()).isEqualTo("ok");
  }

  @Test
  void aStepOfTheDatabasesClockIsAProblemForADayAndThenAWarning() {
    assertThat(StoreChecks.clockSteps(new ClockSteps(0, Optional.empty())).verdict())
        .isEqualTo("ok");
    Diagnosis forward = StoreChecks.clockSteps(stepped(660_000, Duration.ofMinutes(1)));
    assertThat(forward.verdict()).isEqualTo("problem");
    assertThat(forward.what()).contains("2 times", "forward by 660000 ms, 60 s ago", "early");
    Diagnosis back = StoreChecks.clockSteps(stepped(-3_000, Duration.ofMinutes(1)));
    assertThat(back.verdict()).isEqualTo("problem");
    assertThat(back.what()).contains("back by 3000 ms", "longer");
    assertThat(StoreChecks.clockSteps(stepped(660_000, Duration.ofHours(25))).verdict())
        .isEqualTo("warning");
  }

  private static ClockSteps stepped(long millis, Duration ago) {
    return new ClockSteps(2, Optional.of(new ClockSteps.Step(millis, ago)));
  }

  @Test
  void aSchemaWhereOthersMayCreateIsNamedWithWhatToDo() {
    assertThat(StoreChecks.creators(new SchemaCreators("", List.of()))).isEmpty();
    assertThat(StoreChecks.creators(new SchemaCreators("public", List.of())))
        .extracting(Diagnosis::verdict)
        .containsExactly("ok");
    Diagnosis open =
        StoreChecks.creators(new SchemaCreators("public", List.of("PUBLIC", "app"))).getFirst();
    assertThat(open.verdict()).isEqualTo("warning");
    assertThat(open.remedy()).isEqualTo("REVOKE CREATE ON SCHEMA public FROM PUBLIC, app");
  }

  @Test
  void aWitnessThatKnowsMoreThanTheStoreIsAProblem() {
    Optional<String> none = Optional.empty();
    assertThat(StoreChecks.witness(new WitnessState.Found(7), none).verdict()).isEqualTo("ok");
    assertThat(StoreChecks.witness(new WitnessState.Begun(), none).verdict()).isEqualTo("ok");
    assertThat(StoreChecks.witness(new WitnessState.None(), none).verdict()).isEqualTo("warning");
    assertThat(StoreChecks.witness(new WitnessState.Empty(), none).verdict()).isEqualTo("warning");
    assertThat(StoreChecks.witness(new WitnessState.Failing("full"), none).verdict())
        .isEqualTo("problem");
    assertThat(StoreChecks.witness(new WitnessState.Together(), none).verdict())
        .isEqualTo("warning");
    for (WitnessState state : List.of(new WitnessState.Found(7), new WitnessState.None())) {
      assertThat(StoreChecks.witness(state, Optional.of("it has gone back")))
          .isInstanceOf(Diagnosis.Problem.class)
          .satisfies(found -> assertThat(found.what()).isEqualTo("it has gone back"));
    }
  }

  @Test
  void whatIsSentMustBeHeard() {
    assertThat(StoreChecks.delivery(true).verdict()).isEqualTo("ok");
    assertThat(StoreChecks.delivery(false).verdict()).isEqualTo("problem");
  }

  private static AuditReport report(List<Finding> findings) {
    return new AuditReport(0, List.of(), List.of(), findings, List.of());
  }

  private static Finding finding(Rule rule, Severity severity) {
    return new Finding(rule, severity, "lock", "what", "remedy");
  }

  private static List<String> verdicts(Finding... findings) {
    return StoreChecks.audit(report(List.of(findings)), Set.of("lock")).stream()
        .map(one -> one.check() + " " + one.verdict())
        .toList();
  }

  @Test
  void holesAreProblemsAndNotesAreNot() {
    assertThat(verdicts()).containsExactly("rollbacks ok", "audit ok");
    assertThat(verdicts(finding(Rule.NO_TARGETS, Severity.NOTE)))
        .containsExactly("rollbacks ok", "audit ok");
    assertThat(verdicts(finding(Rule.NO_CHARTER, Severity.HOLE)))
        .containsExactly("rollbacks ok", "audit problem");
    assertThat(verdicts(finding(Rule.SUSPECTED_ROLLBACK, Severity.HOLE)))
        .containsExactly("audit ok", "rollbacks problem");
  }

  @Test
  void leasesThatNoTargetHasMetNeedNoCharter() {
    List<Diagnosis> found =
        StoreChecks.audit(
            report(List.of(finding(Rule.NO_CHARTER, Severity.HOLE))), Set.of("leader"));
    assertThat(found).extracting(Diagnosis::verdict).containsExactly("ok", "warning");
    assertThat(found.getLast().what()).endsWith(": lock");
    assertThat(found.getLast().remedy()).contains("leasehold exec");
  }

  @Test
  void beyondAPageHolesAreCounted() {
    List<Diagnosis> found =
        StoreChecks.audit(
            report(Collections.nCopies(50, finding(Rule.NO_CHARTER, Severity.HOLE))),
            Set.of("lock"));
    assertThat(found).hasSize(22);
    assertThat(found.getLast().what()).isEqualTo("30 more holes");
  }

  @Test
  void transactionsThatHoldLeasesBackAreNamed() {
    assertThat(StoreChecks.locks(List.of()).verdict()).isEqualTo("ok");
    Diagnosis found =
        StoreChecks.locks(List.of(new LockHolder(4711, 35_000, "10.0.0.7", "billing")));
    assertThat(found.verdict()).isEqualTo("warning");
    assertThat(found.what()).contains("backend 4711 (billing, client 10.0.0.7)", "35000 ms");
    assertThat(found.remedy()).contains("pg_terminate_backend(4711)", "--now");
    assertThat(found.remedy()).doesNotContain("pg_read_all_stats");
  }

  @Test
  void soAreThoseThatTheStoresRoleMayNotSeeAndPreparedOnes() {
    Diagnosis hidden = StoreChecks.locks(List.of(new LockHolder(4711, 0, "hidden", "billing")));
    assertThat(hidden.what()).contains("backend 4711", "whose age this role may not see");
    assertThat(hidden.remedy()).contains("GRANT pg_read_all_stats");
    Diagnosis prepared = StoreChecks.locks(List.of(new LockHolder(0, 35_000, "prepared", "tx'1")));
    assertThat(prepared.what()).contains("prepared transaction tx'1, open for 35000 ms");
    assertThat(prepared.remedy()).contains("ROLLBACK PREPARED 'tx''1'");
  }
}
