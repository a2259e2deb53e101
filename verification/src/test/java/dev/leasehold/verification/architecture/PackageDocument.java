package dev.leasehold.verification.architecture;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Every package has a package-info.java that says what it is for and makes it null-marked. */
final class PackageDocument {
  private PackageDocument() {}

  /** A package may be spread over main and test sources of a module; one document is enough. */
  static List<String> missing(List<SourceFile> files) {
    Set<String> documented =
        files.stream()
            .filter(PackageDocument::isDocument)
            .map(PackageDocument::place)
            .collect(toUnmodifiableSet());
    return files.stream()
        .map(PackageDocument::place)
        .distinct()
        .filter(Predicate.not(documented::contains))
        .map(place -> place + ": no package-info.java with a comment and @NullMarked")
        .toList();
  }

  private static boolean isDocument(SourceFile file) {
    return file.isNamed("package-info.java")
        && file.text().contains("/**")
        && file.tree().getPackageAnnotations().stream()
            .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("NullMarked"));
  }

  private static String place(SourceFile file) {
    return file.module() + ": " + file.packageName();
  }
}
