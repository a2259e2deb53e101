package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.cli.Shell.Result;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.ServeLock;
import dev.leasehold.testkit.model.ForwardingStore;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Adds to the real messages of libraries and servers what a user can type. */
class AdviceTest {
  private final MemoryLeaseStore store =
      new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);

  @Test
  void anOperatorWhosePortIsTakenIsToldHowToNameAnother() {
    try (LeaseholdServer first = LeaseholdServer.on(store).start()) {
      int port = first.address().getPort();
      Throwable taken = catchThrowable(() -> LeaseholdServer.on(store).port(port).start());
      assertThat(Advice.in(String.valueOf(taken.getMessage()))).contains("--listen HOST:PORT");
    }
  }

  @Test
  void anOperatorWhoseFileIsServedAlreadyIsToldWhereToAsk(@TempDir Path folder) {
    Path file = folder.resolve("leases.db");
    var first = (ServeLock.Taking.Taken) ServeLock.take(file, "first", Instant.EPOCH);
    var second = (ServeLock.Taking.Refused) ServeLock.take(file, "second", Instant.EPOCH);
    assertThat(Advice.in(second.why())).contains("first", "--server URL", "--store sqlite:PATH");
    first.lock().close();
  }

  @Test
  void theCallerIsNotToldToRepeatARequestIdThatWasNotPrinted() {
    ForwardingStore away =
        new ForwardingStore(store) {
          @Override
          public CompletionStage<LeasePage> list(ListQuery query) {
            return CompletableFuture.failedFuture(new IllegalStateException("away"));
          }
        };
    try (LeaseholdServer server = LeaseholdServer.on(away).start()) {
      Result result = new Shell().run("lease", "list", "--server", server.address().toString());
      assertThat(result.code()).isEqualTo(5);
      assertThat(result.err()).contains("503", "does not answer").doesNotContain("request id");
    }
  }
}
