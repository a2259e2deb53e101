package dev.leasehold.benchmarks.throughput;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;

/**
 * Measures the stores, their raw limits and the rivals, all in one run and on one PostgreSQL of its
 * own, and writes the results as tables, and as a bar chart if a file is given for it.
 */
public final class StoreComparison {
  private static final System.Logger LOG = System.getLogger(StoreComparison.class.getName());

  private StoreComparison() {}

  public static void main(String[] arguments) throws IOException, SQLException {
    Settings settings = Settings.parse(arguments);
    List<String> lines;
    if (settings.recorded().isPresent()) {
      lines = Files.readAllLines(settings.recorded().get());
    } else {
      Report report = run(settings);
      report.write(settings.report());
      lines = report.lines();
    }
    if (settings.chart().isPresent()) {
      Files.writeString(settings.chart().get(), BarChart.of(lines).svg());
    }
  }

  /** A case that fails is reported, and the others run all the same. */
  static Report run(Settings settings) throws IOException, SQLException {
    Report report = new Report();
    try (PostgresServer postgres = PostgresServer.start()) {
      report.note(
          "JDK %s, PostgreSQL %s, %d processors, median of %d rounds of %d ms."
              .formatted(
                  Runtime.version(),
                  postgres.ask("SHOW server_version"),
                  Runtime.getRuntime().availableProcessors(),
                  settings.rounds(),
                  settings.round().toMillis()));
      Stage stage = new Stage(settings, postgres, report);
      for (Case one : settings.cases()) {
        run(one, stage);
      }
    }
    return report;
  }

  private static void run(Case one, Stage stage) {
    long begun = Load.now();
    try {
      one.run(stage);
    } catch (Exception e) {
      LOG.log(Level.ERROR, one + " failed", e);
      stage.report().failure(one.word() + " failed: " + e);
    }
    LOG.log(Level.INFO, "{0} took {1} s", one, (Load.now() - begun) / 1_000_000_000);
  }
}
