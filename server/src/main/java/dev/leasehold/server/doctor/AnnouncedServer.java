package dev.leasehold.server.doctor;

import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.server.ops.Announcement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** A server, as the lease that announces it describes it. */
record AnnouncedServer(String version, String address) {
  /** The servers whose lease has not expired. The store also keeps the records of earlier ones. */
  static CompletionStage<List<AnnouncedServer>> on(LeaseStore store) {
    return on(store, ListQuery.all(Announcement.KIND + "/"), List.of());
  }

  private static CompletionStage<List<AnnouncedServer>> on(
      LeaseStore store, ListQuery query, List<AnnouncedServer> before) {
    return store
        .list(query)
        .thenCompose(
            page -> {
              List<AnnouncedServer> found =
                  Stream.concat(before.stream(), page.items().stream().flatMap(AnnouncedServer::of))
                      .toList();
              return page.next().isPresent()
                  ? on(store, query.from(page.next().get()), found)
                  : CompletableFuture.completedStage(found);
            });
  }

  private static Stream<AnnouncedServer> of(LeaseReading reading) {
    return reading
        .record()
        .currentGrant()
        .filter(grant -> grant.isUnexpired(reading.atMillis()))
        .map(AnnouncedServer::of)
        .stream();
  }

  private static AnnouncedServer of(Grant grant) {
    Map<String, String> attributes = grant.terms().info().attributes();
    return new AnnouncedServer(
        attributes.getOrDefault(Announcement.VERSION, "unknown"),
        attributes.getOrDefault(Announcement.ADDRESS, "unknown"));
  }
}
