package dev.leasehold.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Ticker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A guardian in this process; the test is its wrapper. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuardianTest {
  private static final Duration INTERVAL = Duration.ofMillis(20);

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit starts it before each test
  private Process leader;

  @SuppressWarnings("NullAway.Init")
  private PrintStream orders;

  @SuppressWarnings("NullAway.Init")
  private BufferedReader questions;

  @SuppressWarnings("NullAway.Init")
  private Thread guarding;

  @BeforeEach
  void start() throws IOException {
    leader = Groups.stubborn(folder);
  }

  @AfterEach
  void end() {
    ProcessGroup.of(leader.pid()).signal("KILL");
  }

  private void guardWith(String shell) throws IOException {
    PipedOutputStream toGuardian = new PipedOutputStream();
    PipedInputStream fromGuardian = new PipedInputStream();
    Guardian.Wrapper wrapper =
        new Guardian.Wrapper(
            new PipedInputStream(toGuardian),
            new PrintStream(new PipedOutputStream(fromGuardian), true, StandardCharsets.US_ASCII),
            id -> new ProcessGroup(id, shell));
    orders = new PrintStream(toGuardian, true, StandardCharsets.US_ASCII);
    questions = new BufferedReader(new InputStreamReader(fromGuardian, StandardCharsets.US_ASCII));
    Guardian guardian = new Guardian(wrapper, Ticker.system(), 0, INTERVAL.toNanos());
    guarding = new Thread(() -> run(guardian), "guardian");
    guarding.start();
  }

  private static void run(Guardian guardian) {
    try {
      guardian.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void trustFor(Duration time) throws IOException {
    orders.println("guard " + leader.pid());
    orders.println("trust " + questions.readLine() + " " + time.toNanos());
  }

  private void assertEnded() throws InterruptedException {
    assertThat(leader.waitFor()).isEqualTo(128 + 9);
    guarding.join();
    assertThat(ProcessGroup.of(leader.pid()).isAlive()).isFalse();
  }

  @Test
  void itKillsThoughNoProcessCanBeStarted() throws Exception {
    guardWith(Groups.NO_SHELL);
    trustFor(Duration.ofMillis(50));
    assertEnded();
  }

  @Test
  void itKillsUntilNothingIsLeft() throws Exception {
    guardWith(Groups.forgetful(folder));
    trustFor(Duration.ofMillis(50));
    assertEnded();
  }

  @Test
  void aWrapperThatGoesWithoutAWordLeavesItsGroupToTheGuardian() throws Exception {
    guardWith("/bin/sh");
    trustFor(Duration.ofMillis(50));
    orders.close();
    assertEnded();
  }

  @Test
  void aGroupWhoseTrustTheWrapperNeverReportedEndsWithTheWrapper() throws Exception {
    guardWith("/bin/sh");
    orders.println("guard " + leader.pid());
    orders.close();
    assertEnded();
  }

  @Test
  void aGuardianThatIsDismissedLeavesTheGroupAlone() throws Exception {
    guardWith("/bin/sh");
    trustFor(Duration.ofMinutes(10));
    orders.println("done");
    guarding.join();
    assertThat(leader.isAlive()).isTrue();
  }
}
