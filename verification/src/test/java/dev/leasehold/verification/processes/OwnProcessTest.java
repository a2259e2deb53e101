package dev.leasehold.verification.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A class in a process of its own fails where its tests fail, and tells why. */
class OwnProcessTest {
  @Test
  void eachTestFailsOrPassesAsItDidInTheOtherProcess() {
    Map<String, String> ends = endsOf(PlantedFailures.class);
    assertThat(ends)
        .containsOnlyKeys("fails()", "[1] number = 1", "[2] number = 2", "runsElsewhere()")
        .containsEntry("runsElsewhere()", "")
        .containsEntry("[1] number = 1", "");
    assertThat(ends.get("fails()")).contains("planted").contains("PlantedFailures.fails");
    assertThat(ends.get("[2] number = 2")).contains("planted for 2");
  }

  @Test
  void aProcessThatDiesFailsAllTestsOfItsClass() {
    assertThat(endsOf(PlantedDeath.class))
        .containsOnlyKeys("PlantedDeath")
        .hasEntrySatisfying("PlantedDeath", why -> assertThat(why).contains("ran to its end"));
  }

  /** Why each failed, by the names of the tests that ran and of what failed as a whole. */
  private static Map<String, String> endsOf(Class<?> tests) {
    Map<String, String> ends = new TreeMap<>();
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(tests))
            // A run inside of a parallel one cannot itself be parallel.
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .build();
    LauncherFactory.create()
        .execute(
            request,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                String why = result.getThrowable().map(Throwable::toString).orElse("");
                if (test.isTest() || !why.isEmpty()) {
                  ends.put(test.getDisplayName(), why);
                }
              }
            });
    return ends;
  }
}
