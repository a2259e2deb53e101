package dev.leasehold.server.doctor;

import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.server.ops.Announcement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** A server that holds the lease by which it says that it is there. */
record AnnouncedServer(String version, String address) {
  /** Those whose lease has not run out; beyond a page, nobody looks at each of them. */
  static CompletionStage<List<AnnouncedServer>> on(LeaseStore store) {
    return store
        .list(new ListQuery(Announcement.KIND + "/", Optional.empty(), ListQuery.MAX_LIMIT))
        .thenApply(page -> page.items().stream().flatMap(AnnouncedServer::of).toList());
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
