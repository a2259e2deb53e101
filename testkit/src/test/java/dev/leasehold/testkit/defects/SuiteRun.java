package dev.leasehold.testkit.defects;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the contract suite, without its random parts, as a build would. */
final class SuiteRun implements TestExecutionListener {
  private final List<String> failed = new ArrayList<>();
  private int tests;

  static SuiteRun on(Defect defect) {
    DefectiveStoreContract.PLANTED.set(defect);
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(DefectiveStoreContract.class))
            .filters(TagFilter.excludeTags("differential", "concurrency"))
            // A run inside of a parallel one cannot itself be parallel.
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .build();
    SuiteRun run = new SuiteRun();
    LauncherFactory.create().execute(request, run);
    return run;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) {
      tests++;
    }
    if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
      failed.add(test.getDisplayName());
    }
  }

  int tests() {
    return tests;
  }

  List<String> failed() {
    return List.copyOf(failed);
  }
}
