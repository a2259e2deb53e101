package dev.leasehold.verification.crash;

import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.RecordingStore;
import dev.leasehold.testkit.model.ForwardingStore;
import dev.leasehold.verification.engines.Database;
import dev.leasehold.verification.engines.Ledger;
import dev.leasehold.verification.history.HistoryFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A process that works under leases until it is told to stop, its standard input ends, or it is
 * killed. Three threads each take a key, seal the targets, change them and give the key back.
 */
public final class Worker {
  private static final int THREADS = 3;
  private static final int MAX_STEPS = 6;
  private static final int MAX_OPENINGS = 10;
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final Order order;
  private final HistoryRecorder recorder;
  private final Leases leases;
  private volatile boolean stopping;
  private volatile boolean holding;
  private static volatile boolean dying;

  /** Dies, when it is told to, while a request is in flight. */
  private static final class Mortal extends ForwardingStore {
    Mortal(LeaseStore store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      CompletionStage<List<Outcome>> answer = super.apply(batch);
      if (dying) {
        Runtime.getRuntime().halt(1);
      }
      return answer;
    }
  }

  /**
   * The orders of a worker.
   *
   * @param defect the name of a planted {@link Defect}, or {@code NONE}
   * @param servers to send commands through; none: directly to the store
   */
  record Order(
      String name,
      String url,
      Path history,
      long seed,
      int keys,
      long ttlMillis,
      Defect defect,
      List<URI> servers) {
    Order(
        String name, String url, Path history, long seed, int keys, long ttlMillis, Defect defect) {
      this(name, url, history, seed, keys, ttlMillis, defect, List.of());
    }

    Order through(List<URI> newServers) {
      return new Order(name, url, history, seed, keys, ttlMillis, defect, newServers);
    }

    List<String> arguments() {
      List<String> arguments = new ArrayList<>();
      Collections.addAll(
          arguments,
          name,
          url,
          history.toString(),
          Long.toString(seed),
          Integer.toString(keys),
          Long.toString(ttlMillis),
          defect.name());
      servers.forEach(server -> arguments.add(server.toString()));
      return arguments;
    }

    static Order of(String[] arguments) {
      return new Order(
          arguments[0],
          arguments[1],
          Path.of(arguments[2]),
          Long.parseLong(arguments[3]),
          Integer.parseInt(arguments[4]),
          Long.parseLong(arguments[5]),
          Defect.valueOf(arguments[6]),
          Stream.of(arguments).skip(7).map(URI::create).toList());
    }
  }

  private Worker(Order order, HistoryRecorder recorder, Leases leases) {
    this.order = order;
    this.recorder = recorder;
    this.leases = leases;
  }

  public static void main(String[] arguments) throws Exception {
    Order order = Order.of(arguments);
    HistoryFile file = HistoryFile.create(order.history());
    HistoryRecorder recorder = new HistoryRecorder(order.name(), MachineTicker.INSTANCE, file);
    JdbcStore store = open(order.url());
    LeaseStore served =
        order.servers().isEmpty()
            ? store.leases()
            : new ServedCommands(
                store.leases(), order.servers(), order.defect() == Defect.IDS_MADE_ANEW);
    LeaseStore recorded =
        new RecordingStore(new Mortal(order.defect().planted(served, order.url())), recorder);
    Leases leases = Leases.on(recorded).holder(order.name()).open();
    new Worker(order, recorder, leases).run();
    leases.close();
    store.close();
    file.close();
    say("done");
  }

  /** Retries, because a machine that is busy starting processes may be too slow. */
  static JdbcStore open(String url) {
    for (int attempt = 1; ; attempt++) {
      try {
        return JdbcStore.at(url).open();
      } catch (StoreUnusableException e) {
        if (attempt == MAX_OPENINGS) {
          throw e;
        }
      }
    }
  }

  /** Reports an event to the process that started this one, as one line. */
  static void say(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }

  private void run() throws IOException, InterruptedException {
    say("ready");
    List<Thread> threads = new ArrayList<>();
    try (BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = orders.readLine(); ; line = orders.readLine()) {
        if (line == null) {
          // The process that started this one is gone.
          Runtime.getRuntime().halt(1);
        } else if (line.equals("go")) {
          for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = new SplittableRandom(order.seed() * THREADS + i);
            threads.add(Thread.ofPlatform().start(() -> work(random)));
          }
        } else if (line.equals("hold on")) {
          holding = true;
        } else if (line.equals("die asking")) {
          dying = true;
        } else if (line.equals("stop")) {
          stopping = true;
          break;
        }
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void work(SplittableRandom random) {
    try (Ledger ledger = new Ledger(new Database(order.url()))) {
      while (!stopping) {
        LeaseRequest request =
            LeaseRequest.of("work/" + random.nextInt(order.keys()))
                .ttl(Duration.ofMillis(order.ttlMillis()));
        switch (leases.acquire(request, WAIT)) {
          case Acquisition.Acquired acquired -> work(acquired.lease(), ledger, random);
          case Acquisition.Failed failed -> say("unavailable " + failed.why());
          case Acquisition.NotAcquired other -> say("refused");
        }
      }
    } catch (InterruptedException | SQLException e) {
      say("failed " + e);
    }
  }

  private void work(Lease lease, Ledger ledger, SplittableRandom random)
      throws InterruptedException {
    say("held " + lease.key() + " " + lease.token());
    try (lease) {
      Claim claim = lease.claim();
      boolean sealed = ledger.seal(claim, recorder.nanos());
      int steps = 1 + random.nextInt(MAX_STEPS);
      for (int step = 0; sealed && step < steps && !lease.isEnding(); step++) {
        Ledger.Target[] targets = Ledger.Target.values();
        Ledger.Target target = targets[random.nextInt(targets.length)];
        boolean taken = ledger.change(target, claim, recorder.nanos());
        say((taken ? "wrote " : "rejected ") + target.text());
        pause(lease, random.nextInt(40));
      }
      if (holding) {
        say("holding " + lease.key() + " " + lease.token());
        lease.ending().toCompletableFuture().join();
      }
    } catch (SQLException e) {
      say("target-away " + e.getMessage());
    }
    lease.lossReason().ifPresent(reason -> say("lost " + lease.key() + " " + reason));
  }

  /** Works for a while, unless it must stop. */
  private static void pause(Lease lease, int millis) throws InterruptedException {
    try {
      lease.ending().toCompletableFuture().get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // The pause is over.
      return;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
