package dev.leasehold.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** The compiled classes of all modules that are published, imported once for all tests. */
final class Production {
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/verification/target/"))
          .importPackages("dev.leasehold");

  private Production() {}
}
