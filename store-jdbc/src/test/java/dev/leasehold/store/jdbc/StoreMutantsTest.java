package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that find no planted defect prove nothing: each defect that is planted into the store's
 * statements or sources must be found by a test that is named beside it. {@code
 * -Dleasehold.mutant=NAME} runs one.
 */
@Timeout(7_200)
class StoreMutantsTest {
  private static final System.Logger LOG = System.getLogger(StoreMutantsTest.class.getName());

  /** One of each kind: in a statement, in a fragment of several, and in a source file. */
  private static final List<StoreMutant> IN_EVERY_BUILD =
      List.of(
          StoreMutant.PURGE_LOCKS_THE_FLOOR_AS_AN_UPDATE_DOES,
          StoreMutant.RELEASE_LETS_CHECKS_BY,
          StoreMutant.AN_INSERT_THAT_FAILED_IS_TAKEN_FOR_DONE);

  @TempDir Path folder;

  @BeforeAll
  static void shareTheServer() {
    System.setProperty(PostgresServer.PROPERTY, PostgresServer.url());
  }

  @AfterAll
  static void keepItToItself() {
    System.clearProperty(PostgresServer.PROPERTY);
  }

  /** Otherwise only the next proof would notice a file that was changed or renamed since. */
  @ParameterizedTest
  @EnumSource
  void an_edit_still_fits_its_file(StoreMutant mutant) throws IOException {
    assertThat(MutatedStore.textOf(mutant.edit())).contains(mutant.edit().replacement());
  }

  @Test
  void some_planted_defects_are_found_in_every_build() throws Exception {
    requireThatAllAreFound(IN_EVERY_BUILD);
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void every_planted_defect_is_found() throws Exception {
    requireThatAllAreFound(List.of(StoreMutant.values()));
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.mutant", matches = ".+")
  void the_given_defect_is_found() throws Exception {
    String given = System.getProperty("leasehold.mutant", "");
    requireThatAllAreFound(Arrays.stream(given.split(",", -1)).map(StoreMutant::valueOf).toList());
  }

  /** Otherwise every mutant would count as found. */
  @Test
  void a_copy_without_a_defect_passes() throws Exception {
    requireThatAllPass(List.of("release+check@held", "untriggered:close+come-and-go@absent"));
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void it_passes_all_that_finds_a_defect() throws Exception {
    requireThatAllPass(
        Arrays.stream(StoreMutant.values())
            .flatMap(mutant -> mutant.killers().stream())
            .distinct()
            .toList());
  }

  private void requireThatAllPass(List<String> killers) throws Exception {
    StoreMutant.Edit none = new StoreMutant.Edit("postgresql/effect-lock.sql", "SHARE", "SHARE");
    assertThat(MutatedStore.of(none, folder).firstToFail(killers)).isEmpty();
  }

  private void requireThatAllAreFound(List<StoreMutant> mutants) throws Exception {
    List<String> unfound = new ArrayList<>();
    for (StoreMutant mutant : mutants) {
      String found = tried(mutant);
      String name = mutant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      LOG.log(Level.INFO, "| {0} | {1} |", name, found.lines().findFirst().orElse("survives"));
      if (found.isEmpty()) {
        unfound.add(mutant.name());
      }
    }
    assertThat(unfound).as("mutants that survive").isEmpty();
  }

  private String tried(StoreMutant mutant) throws Exception {
    Path own = Files.createDirectories(folder.resolve(mutant.name()));
    return MutatedStore.of(mutant.edit(), own).firstToFail(mutant.killers());
  }
}
