package dev.leasehold.remote;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.api.LeaseApi;
import dev.leasehold.remote.api.ObjectApi;
import dev.leasehold.remote.wire.Changes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;

/**
 * The store behind a server, or behind several equal ones.
 *
 * <pre>{@code
 * try (RemoteStore store = RemoteStore.at("http://127.0.0.1:7420").open();
 *     Leases leases = Leases.on(store).open()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>It never asks a server to wait for a key: trust counts from the sending of a request, so an
 * answer that comes after a wait gives none. A waiter watches for changes instead, and asks when
 * one comes.
 */
public final class RemoteStore implements Store {
  private final Servers servers;
  private final ExecutorService threads;
  private final SharedStreams<LeaseChange> leaseStreams;
  private final SharedStreams<ObjectChange> objectStreams;
  private final RemoteLeaseStore leases;
  private final RemoteObjectStore objects;
  private final RemoteDoctor doctor;

  RemoteStore(Servers servers, Limits limits, ExecutorService threads) {
    this.servers = servers;
    this.threads = threads;
    Calls calls = new Calls(servers, threads);
    this.leaseStreams =
        new SharedStreams<>(
            servers,
            threads,
            prefix ->
                new Listeners<>(
                    LeaseApi.WATCH.path() + "?prefix=",
                    prefix,
                    LeaseChange::isUnder,
                    Changes.OF_LEASES));
    this.leases = new RemoteLeaseStore(calls, limits, leaseStreams, this::close);
    this.objectStreams =
        new SharedStreams<>(
            servers,
            threads,
            type ->
                new Listeners<>(
                    ObjectApi.ALL.path() + "?watch=true&type=",
                    type,
                    ObjectChange::isOf,
                    Changes.OF_OBJECTS));
    this.objects = new RemoteObjectStore(calls, objectStreams);
    this.doctor = new RemoteDoctor(calls);
  }

  /**
   * Connects to one server, or to any of several on one store: {@code http://HOST:PORT}, or https.
   */
  public static RemoteStoreBuilder at(String... addresses) {
    return new RemoteStoreBuilder(List.of(addresses));
  }

  @Override
  public LeaseStore leases() {
    return leases;
  }

  /** The objects beside these leases, for {@code VersionedObjects.on}. */
  public ObjectStore objects() {
    return objects;
  }

  /**
   * The parts of this store: its leases, its objects, and the findings of a server that examines
   * its store.
   */
  @Override
  public <P> Optional<P> part(Class<P> type) {
    return Stream.of(leases, objects, doctor).filter(type::isInstance).map(type::cast).findFirst();
  }

  @Override
  public void close() {
    leaseStreams.close();
    objectStreams.close();
    threads.shutdownNow();
    servers.close();
  }
}
