package dev.leasehold.verification.processes;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs one test class in this process, and writes down what became of its tests. */
final class OwnProcessMain {
  private OwnProcessMain() {}

  /** Arguments: the name of the class, and the file for the verdicts. */
  public static void main(String[] arguments) throws IOException {
    Verdicts.Builder verdicts = new Verdicts.Builder();
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(arguments[0]))
            .build();
    LauncherFactory.create()
        .execute(
            request,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                verdicts.add(test.getUniqueId(), result.getThrowable());
              }
            });
    verdicts.write(Path.of(arguments[1]));
    // Threads that a test has left do not keep the process.
    System.exit(0);
  }
}
