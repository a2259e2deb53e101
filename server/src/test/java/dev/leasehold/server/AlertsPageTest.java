package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.model.ForwardingStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page on alerts names existing metrics. */
@Timeout(60)
class AlertsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "operating", "servers.md");
  private static final Pattern NAME = Pattern.compile("\\bleasehold_[a-z_]+");
  private static final Pattern SCRAPED = Pattern.compile("^leasehold_[a-z_]+", Pattern.MULTILINE);

  /** A store that executes no command. */
  private static final class Broken extends ForwardingStore {
    Broken(LeaseStore store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return CompletableFuture.completedFuture(
          batch.stream()
              .<Outcome>map(
                  command -> new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "for this test"))
              .toList());
    }
  }

  private static Set<String> names(Pattern pattern, String text) {
    TreeSet<String> names = new TreeSet<>();
    pattern.matcher(text).results().map(MatchResult::group).forEach(names::add);
    return names;
  }

  @Test
  void everyMetricOnThePageIsScraped(@TempDir Path folder) throws IOException {
    TreeSet<String> scraped = new TreeSet<>();
    try (JdbcStore store = JdbcStore.at("sqlite:" + folder.resolve("l.db")).migrate().open()) {
      try (LeaseholdServer server = LeaseholdServer.on(store).start()) {
        Caller caller = new Caller(server.address());
        long token = caller.acquire("lock/a").token();
        caller.post(
            "/v1/leases/renew",
            "{$,~leases~:[{~key~:~lock/a~,~token~:" + token + "},{~key~:~lock/b~,~token~:5}]}");
        caller.post("/v1/fences/disk/seal", "{~key~:~lock/a~,~token~:" + token + "}");
        assertThat(caller.post("/v1/fences/disk/admit", "{~key~:~lock/a~,~token~:5}").outcome())
            .isEqualTo("stale");
        scraped.addAll(names(SCRAPED, caller.get("/metrics").text()));
      }
      try (LeaseholdServer server = LeaseholdServer.on(new Broken(store.leases())).start()) {
        Caller caller = new Caller(server.address());
        assertThat(caller.acquire("lock/a").status()).isEqualTo(503);
        scraped.addAll(names(SCRAPED, caller.get("/metrics").text()));
      }
    }
    Set<String> named = names(NAME, Files.readString(PAGE));
    assertThat(named).hasSizeGreaterThan(8);
    TreeSet<String> unknown = new TreeSet<>(named);
    unknown.removeIf(
        name -> scraped.stream().anyMatch(one -> one.equals(name) || one.equals(name + "_count")));
    assertThat(unknown).as("of %s", scraped).isEmpty();
  }
}
