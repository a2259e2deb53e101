package dev.leasehold.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.exec.Enforcement.Step;
import org.junit.jupiter.api.Test;

/** When a group is told to stop, and when it is killed. */
class EnforcementTest {
  private final Enforcement enforcement = new Enforcement(10);

  @Test
  void nothingIsDoneWhileNothingIsKnown() {
    assertThat(enforcement.next(5)).isEqualTo(new Step.Wait(Long.MAX_VALUE));
  }

  @Test
  void aGroupIsToldAGraceBeforeTheDeadlineAndKilledAtIt() {
    enforcement.trustUntil(100);
    assertThat(enforcement.next(60)).isEqualTo(new Step.Wait(30));
    assertThat(enforcement.next(90)).isEqualTo(new Step.Terminate());
    assertThat(enforcement.next(90)).isEqualTo(new Step.Wait(10));
    assertThat(enforcement.next(100)).isEqualTo(new Step.Kill());
  }

  @Test
  void aRenewalInTimePutsItOff() {
    enforcement.trustUntil(100);
    enforcement.trustUntil(200);
    assertThat(enforcement.next(100)).isEqualTo(new Step.Wait(90));
  }

  @Test
  void nothingProlongsTheTimeOfAGroupThatWasToldToStop() {
    enforcement.trustUntil(100);
    assertThat(enforcement.next(95)).isEqualTo(new Step.Terminate());
    enforcement.trustUntil(200);
    assertThat(enforcement.next(100)).isEqualTo(new Step.Kill());
  }

  @Test
  void aLossIsToldAtOnceAndLeavesTheTimeThatThereWas() {
    enforcement.trustUntil(100);
    enforcement.over();
    enforcement.trustUntil(500);
    assertThat(enforcement.next(20)).isEqualTo(new Step.Terminate());
    assertThat(enforcement.next(20)).isEqualTo(new Step.Wait(80));
    assertThat(enforcement.next(101)).isEqualTo(new Step.Kill());
  }

  @Test
  void aWrapperOrGuardianThatWakesUpTooLateKillsAtOnce() {
    enforcement.trustUntil(100);
    assertThat(enforcement.next(100_000)).isEqualTo(new Step.Kill());
    assertThat(enforcement.isTold()).isTrue();
  }

  @Test
  void aGroupWhoseWrapperReportsNoTrustIsKilledUnlessItReportedSomeBefore() {
    enforcement.trustUntil(100);
    enforcement.noMoreTrust(20);
    assertThat(enforcement.next(20)).isEqualTo(new Step.Wait(70));
    Enforcement another = new Enforcement(10);
    another.over();
    another.noMoreTrust(20);
    assertThat(another.next(20)).isEqualTo(new Step.Kill());
  }
}
