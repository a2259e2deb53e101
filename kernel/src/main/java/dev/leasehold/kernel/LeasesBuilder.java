package dev.leasehold.kernel;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Scheduler;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.kernel.wires.SerialTurns;
import dev.leasehold.kernel.wires.SystemScheduler;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/** Settings of {@link Leases}. All are optional. */
public final class LeasesBuilder {
  private static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

  private final LeaseStore store;
  private Optional<String> holder = Optional.empty();
  private Optional<Instance> instance = Optional.empty();
  private String region = "";
  private Duration defaultTtl = DEFAULT_TTL;
  private final List<LeaseCharter> charters = new ArrayList<>();
  private final List<LeaseObserver> observers = new ArrayList<>();
  private Ticker ticker = Ticker.system();
  private Optional<Scheduler> scheduler = Optional.empty();
  private Executor callbacks = task -> Thread.ofVirtual().name("leasehold-callback").start(task);

  LeasesBuilder(LeaseStore store) {
    this.store = store;
  }

  /** The holder's name, for people. Default: the environment's HOSTNAME, or a random name. */
  public LeasesBuilder holder(String newHolder) {
    holder = Optional.of(newHolder);
    return this;
  }

  /** Continues as an existing instance, proved by its secret. Default: a new instance. */
  public LeasesBuilder instance(Instance newInstance) {
    instance = Optional.of(newInstance);
    return this;
  }

  /** Where this process runs, for people. */
  public LeasesBuilder region(String newRegion) {
    region = newRegion;
    return this;
  }

  /** The ttl of requests that set none; up to a quarter is added at random. Default: 30 s. */
  public LeasesBuilder defaultTtl(Duration newTtl) {
    defaultTtl = newTtl;
    return this;
  }

  /**
   * Sets the charter of a kind, once for each kind. Requests take their defaults from it, and a
   * request that contradicts it is refused.
   */
  public LeasesBuilder charter(LeaseCharter charter) {
    if (charters.stream().anyMatch(known -> known.kind().equals(charter.kind()))) {
      throw new IllFormedException(
          "kind '" + charter.kind() + "' has two charters: write one that says all of it");
    }
    charters.add(charter);
    return this;
  }

  /** Receives the events of this process's leases, including those of its blocks. */
  public LeasesBuilder observer(LeaseObserver observer) {
    observers.add(observer);
    return this;
  }

  /** The source of elapsed time; for tests. */
  public LeasesBuilder ticker(Ticker newTicker) {
    ticker = newTicker;
    return this;
  }

  /** The scheduler of timers; for tests, or to share a thread. {@link Leases} does not close it. */
  public LeasesBuilder scheduler(Scheduler newScheduler) {
    scheduler = Optional.of(newScheduler);
    return this;
  }

  /**
   * Runs tasks that may block: listeners of a lease's end, and the store's watches. Default: a
   * virtual thread for each. Only a test in which nothing blocks may run them on the submitting
   * thread.
   */
  public LeasesBuilder callbacks(Executor newCallbacks) {
    callbacks = newCallbacks;
    return this;
  }

  public Leases open() {
    Instance self = instance.orElseGet(Instance::random);
    String name = holder.or(LeasesBuilder::hostName).orElseGet(() -> "holder-" + shortName(self));
    HolderInfo info = HolderInfo.named(name).withRegion(region);
    Optional<SystemScheduler> own =
        scheduler.isPresent() ? Optional.empty() : Optional.of(new SystemScheduler(ticker));
    Environment environment =
        new Environment(
            ticker,
            scheduler.orElseGet(own::orElseThrow),
            new SerialTurns(callbacks),
            new SplittableRandom(new SecureRandom().nextLong()));
    HolderContext context =
        new HolderContext(
            store,
            environment,
            callbacks,
            ObserverDispatch.to(List.of(), observers, callbacks),
            new HolderContext.Identity(self, info, defaultTtl),
            new Charters());
    Runnable afterwards = () -> own.ifPresent(SystemScheduler::close);
    try {
      charters.forEach(context::attach);
    } catch (RuntimeException e) {
      afterwards.run();
      throw e;
    }
    return new Leases(context, afterwards);
  }

  private static Optional<String> hostName() {
    return Optional.ofNullable(System.getenv("HOSTNAME")).filter(name -> !name.isBlank());
  }

  private static String shortName(Instance self) {
    return self.id().text().substring(0, 12);
  }
}
