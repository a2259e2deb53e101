package dev.leasehold.server;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.kernel.ObserverDispatch;
import dev.leasehold.kernel.SharedCommands;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.wire.Changes;
import dev.leasehold.server.http.ChangeHub;
import dev.leasehold.server.http.FenceEndpoints;
import dev.leasehold.server.http.LeaseCommands;
import dev.leasehold.server.http.LeaseQueries;
import dev.leasehold.server.http.LeaseWatch;
import dev.leasehold.server.http.ObjectEndpoints;
import dev.leasehold.server.http.OpsEndpoints;
import dev.leasehold.server.http.Pages;
import dev.leasehold.server.http.RequestDispatcher;
import dev.leasehold.server.http.Route;
import dev.leasehold.server.http.RowUnlocking;
import dev.leasehold.server.http.SessionEndpoints;
import dev.leasehold.server.http.StoreEndpoints;
import dev.leasehold.server.http.Streams;
import dev.leasehold.server.http.TopicWatch;
import dev.leasehold.server.http.WaitingRequests;
import dev.leasehold.server.ops.Announcement;
import dev.leasehold.server.ops.LeaseCounts;
import dev.leasehold.server.ops.Meters;
import dev.leasehold.server.ops.Roles;
import dev.leasehold.server.security.Gatekeeper;
import dev.leasehold.store.jdbc.Diagnostics;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Leases over HTTP. A server keeps no state outside its store: several servers on one store are
 * equal, and any of them can be stopped.
 *
 * <pre>{@code
 * try (JdbcStore store = JdbcStore.at("sqlite:leases.db").migrate().open();
 *     LeaseholdServer server = LeaseholdServer.on(store).port(7420).start()) {
 *   ...
 * }
 * }</pre>
 */
public final class LeaseholdServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LeaseholdServer.class.getName());

  private static final String THROWN = "Events at which an observer has thrown";
  private static final String MISSED = "Events that added observers were too slow for";
  private static final String OPEN_REQUESTS = "Requests that wait for a lease, or watch";

  private final SharedCommands commands;
  private final WaitingRequests waitingRequests;
  private final ChangeHub<LeaseChange> hub;
  private final LeaseStore.Subscription watch;
  private final Optional<TopicWatch<ObjectChange>> objectWatch;
  private final Listener listener;
  private final LeaseStore leases;
  private final ServerSettings settings;
  private volatile Optional<Announcement> announcement = Optional.empty();
  private final AtomicBoolean stopping = new AtomicBoolean();

  LeaseholdServer(Store store, ServerSettings settings) {
    this.leases = store.leases();
    this.settings = settings;
    Ticker ticker = Ticker.system();
    Meters meters = new Meters(ticker);
    ObserverDispatch observers =
        ObserverDispatch.to(List.of(meters), settings.observers(), Thread::startVirtualThread);
    meters.counter("leasehold.observer.failures", THROWN, observers::failures);
    meters.counter("leasehold.observer.dropped", MISSED, observers::dropped);
    this.commands = SharedCommands.to(meters.around(leases::apply));
    this.waitingRequests = new WaitingRequests(commands, settings.bounds().waiting());
    this.hub = new ChangeHub<>(LeaseWatch.CHANGES_KEPT);
    this.watch = leases.watch("", new Everybody(List.of(hub, waitingRequests), observers));
    Streams streams = new Streams(settings.bounds().streams());
    LeaseCounts counts = new LeaseCounts(leases, ticker);
    meters.gauge("leasehold.requests", OPEN_REQUESTS, "waiting", waitingRequests::waiting);
    meters.gauge("leasehold.requests", OPEN_REQUESTS, "streaming", streams::count);
    store.part(Diagnostics.class).ifPresent(known -> count(known, meters));
    List<Route> routes = new ArrayList<>();
    routes.addAll(new LeaseCommands(commands, waitingRequests, RowUnlocking.on(store)).routes());
    routes.addAll(new LeaseWatch(leases, hub, streams).routes());
    routes.addAll(new LeaseQueries(leases).routes());
    routes.addAll(new SessionEndpoints(leases).routes());
    routes.addAll(new FenceEndpoints(settings.fences(), leases.ledger()).routes());
    this.objectWatch =
        settings
            .objects()
            .map(objects -> new TopicWatch<>(objects::watch, Changes.OF_OBJECTS, streams));
    settings
        .objects()
        .ifPresent(
            objects ->
                routes.addAll(new ObjectEndpoints(objects, objectWatch.orElseThrow()).routes()));
    routes.addAll(new StoreEndpoints(store, settings.version()).routes());
    routes.addAll(
        new OpsEndpoints(new OpsEndpoints.Parts(leases, this::roles, meters, counts, stopping::get))
            .routes());
    routes.addAll(new Pages(counts, !settings.keysRequired()).routes(routes));
    routes.addAll(settings.more());
    Gatekeeper gatekeeper = new Gatekeeper(settings.apiKeys(), settings.keysRequired(), ticker);
    this.listener =
        new Listener(
            settings,
            new RequestDispatcher(
                new RequestDispatcher.AccessRules(gatekeeper, settings.hosts(), ticker),
                routes,
                new RequestDispatcher.Reports(meters::answered, observers)));
  }

  /** A server for a store. Closing the server does not close the store. */
  public static ServerBuilder on(Store store) {
    return new ServerBuilder(store);
  }

  /** A server for leases alone: without objects, and with fence marks in memory. */
  public static ServerBuilder on(LeaseStore leases) {
    return on(Store.of(leases));
  }

  private static void count(Diagnostics store, Meters meters) {
    meters.counter(
        "leasehold.serialization.restarts",
        "Transactions that were repeated because of conflicts with others",
        store::restarts);
    meters.counter(
        "leasehold.store.clock.steps",
        "Steps of the store's clock against this process's",
        () -> store.clockSteps().count());
  }

  LeaseholdServer begin() {
    try {
      listener.start();
      announcement = settings.version().map(version -> Announcement.of(leases, version, address()));
      LOG.log(Level.INFO, "leases are served at {0}", address());
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** The server's own announcement, and the roles that the embedding application has declared. */
  private List<Roles.Role> roles() {
    List<Roles.Role> held = new ArrayList<>();
    announcement.ifPresent(
        own -> own.term().ifPresent(term -> held.add(new Roles.Role(own.key().text(), term))));
    settings.roles().forEach(more -> held.addAll(more.held()));
    return held;
  }

  /** The address that the server listens on. */
  public URI address() {
    return listener.address();
  }

  /** Passes each hint of the store on to several listeners, and takeovers to the observers. */
  private record Everybody(List<ChangeListener<LeaseChange>> listeners, LeaseObserver observer)
      implements ChangeListener<LeaseChange> {
    @Override
    public void changed(LeaseChange change) {
      listeners.forEach(listener -> listener.changed(change));
      if (change.kind() == LeaseChange.Kind.SUPERSEDED) {
        observer.observed(new LeaseEvent.Superseded(change.key(), change.token()));
      }
    }

    @Override
    public void reset() {
      listeners.forEach(ChangeListener::reset);
    }
  }

  /**
   * Completes the requests in progress and accepts no others: waiting requests are told to ask
   * another server, streams end, and new requests are refused.
   */
  @Override
  public void close() {
    if (stopping.compareAndSet(false, true)) {
      announcement.ifPresent(Announcement::close);
      waitingRequests.drain();
      hub.close();
      objectWatch.ifPresent(TopicWatch::close);
      listener.stop();
      watch.close();
      waitingRequests.close();
      commands.close();
    }
  }
}
