package dev.leasehold.examples.gateway;

import com.sun.net.httpserver.HttpServer;
import dev.leasehold.blocks.leader.Election;
import dev.leasehold.blocks.leader.ElectionListener;
import dev.leasehold.blocks.leader.ElectionStatus;
import dev.leasehold.blocks.leader.LeaderLoop;
import dev.leasehold.blocks.leader.Term;
import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.Seal;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.JdbcStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** One replica: it serves users, and is a candidate for the reconciler. */
final class Gateway implements AutoCloseable {
  private final JdbcStore store;
  private final Leases leases;
  private final Election election;
  private final HttpServer server;

  private Gateway(Settings settings, Reconciler.Fencing fencing) throws IOException {
    server = HttpServer.create(new InetSocketAddress(settings.port()), 0);
    store = JdbcStore.at(settings.store()).migrate().open();
    leases = Leases.on(store).holder(settings.name()).charter(charter(settings)).open();
    VersionedObjects objects = VersionedObjects.on(store.objects());
    DriverClient driver = new DriverClient(settings.driver(), settings.name());
    Reconciler reconciler =
        new Reconciler(driver, objects, fencing, new Absences(Ticker.system(), settings.grace()));
    election =
        Election.on(leases)
            .named("reconciler")
            .sealing(Seal.of("driver", driver::seal))
            .loop(LeaderLoop.stream("watch", reconciler::watch))
            .loop(LeaderLoop.sweep("sweep", settings.sweep(), reconciler::sweep))
            .listener(new Telling())
            .start();
    server.createContext("/sandboxes/", new Api(objects, settings.name())::handle);
    server.createContext("/health", exchange -> Http.answer(exchange, 200, health()));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  /**
   * Declares what the lease is for and what its holder changes. The audit checks it, and requests
   * must comply with it.
   */
  private static LeaseCharter charter(Settings settings) {
    return LeaseCharter.of("leader", Payload.COORDINATION, "which replica reconciles")
        .ttl(settings.ttl())
        .stallAfter(settings.ttl().multipliedBy(10))
        .target(new Target("object/" + Sandbox.TYPE, Check.AT_EFFECT, Unsealed.BLOCKS))
        .target(new Target("driver", Check.HIGH_WATER_MARK, Unsealed.BLOCKS));
  }

  public static void main(String[] arguments) throws IOException {
    start(arguments, (objects, leading) -> objects.under(leading.claim()));
  }

  /** On SIGTERM the loops stop, the lease is given back, and another replica follows at once. */
  static void start(String[] arguments, Reconciler.Fencing fencing) throws IOException {
    Gateway gateway = new Gateway(Settings.of(arguments), fencing);
    Runtime.getRuntime().addShutdownHook(new Thread(gateway::close));
    say("serving on " + gateway.server.getAddress().getPort());
  }

  /** Prints when this replica's terms begin and end. */
  private static final class Telling implements ElectionListener {
    @Override
    public void elected(Term term) {
      say("leading " + term.token());
    }

    @Override
    public void lost(Term term, LossReason reason) {
      say("lost " + term.token() + " " + reason);
    }
  }

  private String health() {
    ElectionStatus status = election.status();
    String leader =
        status
            .leader()
            .map(one -> one.holder() + " leads under " + one.token())
            .orElse("no leader is known");
    String error = status.lastError().map(last -> "\nlast error: " + last).orElse("");
    return status.replica() + " is " + status.role() + "; " + leader + error + "\n";
  }

  static void say(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    election.close();
    leases.close();
    store.close();
  }
}
