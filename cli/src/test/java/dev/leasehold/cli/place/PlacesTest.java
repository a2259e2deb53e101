package dev.leasehold.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A command under a lease finds its store again from another working directory. */
class PlacesTest {
  private static final Path HERE = Path.of("/srv/job");

  @ParameterizedTest
  @CsvSource({
    "sqlite:leases.db, sqlite:/srv/job/leases.db",
    "jdbc:sqlite:data/leases.db, jdbc:sqlite:/srv/job/data/leases.db",
    "sqlite:/var/leases.db, sqlite:/var/leases.db",
    "jdbc:postgresql://db/app?user=u, jdbc:postgresql://db/app?user=u",
    "memory:, memory:"
  })
  void aStoreIsNamedByItsWholePath(String url, String expected) {
    assertThat(StorePlace.ofDatabase(url).variables(HERE))
        .isEqualTo(Map.of("LEASEHOLD_STORE", expected));
  }

  @Test
  void whatAServerIsKnownByIsPassedOn() {
    List<String> urls = List.of("https://a:7420", "https://b:7420");
    ServerPlace place =
        new ServerPlace(urls, Optional.empty(), Optional.of(Path.of("ca.pem")), false);
    assertThat(place.variables(HERE))
        .isEqualTo(
            Map.of(
                "LEASEHOLD_SERVER",
                "https://a:7420,https://b:7420",
                "LEASEHOLD_TRUST",
                "/srv/job/ca.pem"));
    assertThat(new ServerPlace(urls, Optional.empty(), Optional.empty(), false).variables(HERE))
        .containsOnlyKeys("LEASEHOLD_SERVER");
  }

  @Test
  void whatIsRelativeStartsWhereTheCommandIsCalled() {
    String store =
        StorePlace.ofDatabase("sqlite:leases.db").variables(Path.of("")).get("LEASEHOLD_STORE");
    assertThat(store).isEqualTo("sqlite:" + Path.of("leases.db").toAbsolutePath());
  }
}
