package dev.leasehold.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages do not depend on each other in a circle: each can be read before those above it. */
class PackageCyclesTest {
  private static PackageCycles production() {
    return new PackageCycles(Production.CLASSES);
  }

  @Test
  void packagesDoNotDependOnEachOtherInACircle() {
    assertThat(production().closingCycles()).isEmpty();
  }

  @Test
  void aPlantedCycleIsFound(@TempDir Path folder) {
    JavaClasses planted =
        Plant.of(
                "package dev.leasehold.one; public class A { dev.leasehold.two.B[] b; }",
                "package dev.leasehold.two; public class B { dev.leasehold.three.C c; }",
                "package dev.leasehold.three; public class C { dev.leasehold.one.A a; }",
                "package dev.leasehold.four; public class D { dev.leasehold.one.A a; }")
            .compile(folder);
    PackageCycles packages = new PackageCycles(planted);
    assertThat(packages.closingCycles())
        .containsExactly("one -> two", "three -> one", "two -> three");
  }
}
