package dev.leasehold.kernel;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.engine.Environment;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Scheduler;
import dev.leasehold.kernel.spi.Ticker;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/** Settings of {@link Leases}. Nothing needs to be set. */
public final class LeasesBuilder {
  private static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

  private final LeaseStore store;
  private Optional<String> holder = Optional.empty();
  private Optional<Instance> instance = Optional.empty();
  private String region = "";
  private Duration defaultTtl = DEFAULT_TTL;
  private final List<LeaseCharter> charters = new ArrayList<>();
  private Ticker ticker = Ticker.system();
  private Optional<Scheduler> scheduler = Optional.empty();
  private Executor callbacks = task -> Thread.ofVirtual().name("leasehold-callback").start(task);

  LeasesBuilder(LeaseStore store) {
    this.store = store;
  }

  /** Who holds, for people. Else the environment's HOSTNAME, else something random. */
  public LeasesBuilder holder(String newHolder) {
    holder = Optional.of(newHolder);
    return this;
  }

  /** Continues as another instance; its secret proves it. Else a new one is made. */
  public LeasesBuilder instance(Instance newInstance) {
    instance = Optional.of(newInstance);
    return this;
  }

  /** Where this process runs, for people. */
  public LeasesBuilder region(String newRegion) {
    region = newRegion;
    return this;
  }

  /** For requests that name none; up to a quarter is added at random. Else 30 s. */
  public LeasesBuilder defaultTtl(Duration newTtl) {
    defaultTtl = newTtl;
    return this;
  }

  /**
   * What holds for every lease of a kind: requests take their defaults from it, and one that
   * contradicts it is refused. Once for each kind.
   */
  public LeasesBuilder charter(LeaseCharter charter) {
    if (charters.stream().anyMatch(known -> known.kind().equals(charter.kind()))) {
      throw new IllFormedException(
          "kind '" + charter.kind() + "' has two charters: write one that says all of it");
    }
    charters.add(charter);
    return this;
  }

  /** Where elapsed time is taken from; for tests. */
  public LeasesBuilder ticker(Ticker newTicker) {
    ticker = newTicker;
    return this;
  }

  /** How to wait; for tests, or to share a thread. It is not closed. */
  public LeasesBuilder scheduler(Scheduler newScheduler) {
    scheduler = Optional.of(newScheduler);
    return this;
  }

  /**
   * Runs what may take its time: whoever is told of an end, and the store's watches. Else each gets
   * a virtual thread. Only a test, where nothing takes time, may run it on the thread that gives
   * it.
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
