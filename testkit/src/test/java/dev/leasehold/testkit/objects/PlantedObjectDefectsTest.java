package dev.leasehold.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A suite that catches nothing proves nothing: each planted defect must fail one of its tests. */
class PlantedObjectDefectsTest {
  private static final String HINT_SECONDS = "leasehold.contract.hintSeconds";

  @AfterEach
  void waitAsBefore() {
    System.clearProperty(HINT_SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void every_defect_is_caught_and_a_sound_store_passes(ObjectDefect defect) {
    if (defect != ObjectDefect.NONE) {
      // Stores that tell nothing are waited for, and not for as long as a sound one.
      System.setProperty(HINT_SECONDS, "1");
    }
    List<String> failed = failedOn(defect);
    assertThat(failed.isEmpty()).as("%s", failed).isEqualTo(defect == ObjectDefect.NONE);
  }

  private static List<String> failedOn(ObjectDefect defect) {
    DefectiveObjectsContract.planted = defect;
    List<String> failed = new ArrayList<>();
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(DefectiveObjectsContract.class))
            .filters(TagFilter.excludeTags("differential", "concurrency"))
            // A run inside of a parallel one cannot itself be parallel.
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .build();
    LauncherFactory.create()
        .execute(
            request,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                  failed.add(test.getDisplayName());
                }
              }
            });
    return failed;
  }
}
