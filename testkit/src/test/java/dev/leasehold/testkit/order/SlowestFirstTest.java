package dev.leasehold.testkit.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The classes of a list begin in its order, and all others after them as they were found. */
class SlowestFirstTest {
  @TempDir Path folder;

  /** Their names keep them out of the normal build. */
  static final class First {
    @Test
    void first() {}
  }

  static final class Second {
    @Test
    void second() {}
  }

  static final class Third {
    @Test
    void third() {}
  }

  @Test
  void theListedBeginInTheOrderOfTheList() throws IOException {
    Path list = folder.resolve("slow.txt");
    Files.write(list, List.of("# why", "**/Third.java", "**/Second.java", "**/GoneTest.java"));
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                DiscoverySelectors.selectClass(First.class),
                DiscoverySelectors.selectClass(Second.class),
                DiscoverySelectors.selectClass(Third.class))
            .configurationParameter(
                "junit.jupiter.testclass.order.default", SlowestFirst.class.getName())
            .configurationParameter("leasehold.test.slowest", list.toString())
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .build();
    List<String> ended = new ArrayList<>();
    LauncherFactory.create()
        .execute(
            request,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                  ended.add(test.getDisplayName());
                }
              }
            });
    assertThat(ended).containsExactly("third()", "second()", "first()");
  }
}
