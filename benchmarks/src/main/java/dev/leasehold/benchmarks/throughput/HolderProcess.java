package dev.leasehold.benchmarks.throughput;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A real process that holds keys until it is killed, or until the process that started it is gone.
 */
final class HolderProcess implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private final Process process;
  private final List<LeaseKey> keys;

  private HolderProcess(Process process, List<LeaseKey> keys) {
    this.process = process;
    this.keys = keys;
  }

  /** The process itself. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> given = List.of(arguments);
    Duration ttl = Duration.ofMillis(Long.parseLong(given.get(1)));
    try (JdbcStore store = JdbcStore.at(given.getFirst()).open();
        Leases leases = Leases.on(store).holder("holder").open()) {
      for (String key : given.subList(2, given.size())) {
        Acquisition unused = leases.tryAcquire(LeaseRequest.of(key).ttl(ttl));
      }
      int unused = System.in.read();
    }
  }

  /** Starts the process, and returns when it holds all keys. */
  static HolderProcess start(String url, List<LeaseKey> keys, Duration ttl) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(HolderProcess.class.getName(), url, String.valueOf(ttl.toMillis())));
    keys.forEach(key -> command.add(key.text()));
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    HolderProcess holder = new HolderProcess(process, keys);
    try (JdbcStore store = JdbcStore.at(url).open()) {
      for (LeaseKey key : keys) {
        holder.await(store, key, grant -> true);
      }
    } catch (RuntimeException e) {
      holder.close();
      throw e;
    }
    return holder;
  }

  /**
   * Waits for a renewal, so that the process is killed in the middle of its work and not at its
   * beginning.
   */
  void awaitRenewal(JdbcStore store) {
    await(store, keys.getFirst(), grant -> grant.renewedAtMillis() > grant.grantedAtMillis());
  }

  private void await(JdbcStore store, LeaseKey key, Predicate<Grant> seen) {
    long begun = Load.now();
    while (Load.now() - begun < TIMEOUT.toNanos()) {
      Optional<Grant> grant =
          store
              .leases()
              .read(key)
              .toCompletableFuture()
              .join()
              .map(LeaseReading::record)
              .flatMap(record -> record.grant());
      if (grant.isPresent() && seen.test(grant.get())) {
        return;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    throw new IllegalStateException("the holder's process does not hold " + key);
  }

  /** Kills it, like kill -9. */
  void kill() throws InterruptedException {
    int unused = process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
