package dev.leasehold.verification.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every wall stands around the production code, and every wall stops a planted intruder. */
class ArchitectureTest {
  @ParameterizedTest
  @EnumSource
  void productionCodeRespectsTheWall(Wall wall) {
    wall.rule().check(Production.CLASSES);
  }

  @ParameterizedTest
  @EnumSource
  void theWallStopsWhatIsPlanted(Wall wall, @TempDir Path folder) {
    int number = 0;
    for (Plant plant : WallPlants.intruders(wall)) {
      JavaClasses planted = plant.compile(folder.resolve("plant" + number++));
      assertThat(wall.rule().evaluate(planted).hasViolation())
          .as("%s should stop %s", wall, plant)
          .isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theWallLetsPassWhatIsAllowed(Wall wall, @TempDir Path folder) {
    int number = 0;
    for (Plant plant : WallPlants.guests(wall)) {
      wall.rule().check(plant.compile(folder.resolve("plant" + number++)));
    }
  }

  /**
   * Guards the tests above, which would not check a module that is missing from the class path.
   * Code that is never published, and that no module may depend on, is not production code.
   */
  @Test
  void everyProductionPackageIsJudged() {
    TreeSet<String> inSource =
        SourceFile.all().stream()
            .filter(SourceFile::isMain)
            .map(SourceFile::packageName)
            .filter(
                name ->
                    !name.matches("dev\\.leasehold\\.(verification|benchmarks|examples)(\\..*)?"))
            .collect(toCollection(TreeSet::new));
    TreeSet<String> judged =
        Production.CLASSES.stream()
            .map(JavaClass::getPackageName)
            .collect(toCollection(TreeSet::new));
    assertThat(judged).containsAll(inSource).isNotEmpty();
  }
}
