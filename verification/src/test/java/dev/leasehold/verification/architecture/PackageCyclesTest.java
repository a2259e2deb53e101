package dev.leasehold.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.leasehold.verification.architecture.PackageCycles.Edge;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages do not depend on each other in a circle: each can be read before those above it. */
class PackageCyclesTest {
  /** Known cycles, to be broken. Add no new one, and remove one that is broken. */
  private static final Set<Edge> KNOWN =
      Set.of(
          // Commands and outcomes of the port use the kernel's values (TTL, operator, request id).
          new Edge("kernel.spi", "kernel"),
          // So do the state machines, which the kernel's shell runs.
          new Edge("kernel.engine", "kernel"),
          // The port of objects uses the values of the block's API.
          new Edge("blocks.objects.spi", "blocks.objects"),
          // One handler uses a type of the package that assembles the handlers.
          new Edge("server.http", "server"));

  private static PackageCycles production() {
    return new PackageCycles(
        new ClassFileImporter()
            .withImportOption(location -> !location.contains("/verification/target/"))
            .importPackages("dev.leasehold"));
  }

  @Test
  void packagesDoNotDependOnEachOtherInACircle() {
    assertThat(production().closingCycles(KNOWN)).isEmpty();
  }

  @Test
  void everyKnownCycleIsStillThere() {
    PackageCycles packages = production();
    assertThat(KNOWN).allMatch(edge -> packages.isNeeded(edge, KNOWN));
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
    assertThat(packages.closingCycles(Set.of()))
        .containsExactly("one -> two", "three -> one", "two -> three");
    Edge known = new Edge("three", "one");
    assertThat(packages.closingCycles(Set.of(known))).isEmpty();
    assertThat(packages.isNeeded(known, Set.of(known))).isTrue();
    Edge unneeded = new Edge("four", "one");
    assertThat(packages.isNeeded(unneeded, Set.of(known, unneeded))).isFalse();
  }
}
