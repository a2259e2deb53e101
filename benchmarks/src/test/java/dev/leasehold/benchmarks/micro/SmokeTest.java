package dev.leasehold.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark once, on a small scale, so that none breaks unnoticed. */
class SmokeTest {
  @Test
  void everyBenchmarkRuns() throws RunnerException {
    Options once =
        new OptionsBuilder()
            .mode(Mode.SingleShotTime)
            .warmupIterations(0)
            .measurementIterations(1)
            .forks(0)
            .param("leases", "1000")
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();

    Collection<RunResult> results = new Runner(once).run();

    Set<String> run =
        results.stream()
            .map(result -> result.getParams().getBenchmark())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(run).isEqualTo(allBenchmarks()).isNotEmpty();
  }

  private static Set<String> allBenchmarks() {
    return BenchmarkList.defaultList()
        .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
        .stream()
        .map(BenchmarkListEntry::getUsername)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
