package dev.leasehold.verification.architecture;

import static java.util.stream.Collectors.joining;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Classes that are compiled for one test, to show that a rule stops or accepts them. */
record Plant(List<String> sources) {
  private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();

  /**
   * Shared by all plants: opening the JDK and the class path anew costs more than compiling. It has
   * one folder to write to, so plants are compiled one at a time.
   */
  private static final StandardJavaFileManager FILES =
      JAVAC.getStandardFileManager(null, null, null);

  static Plant of(String... sources) {
    return new Plant(List.of(sources));
  }

  JavaClasses compile(Path folder) {
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    List<String> options = List.of("-proc:none");
    List<TextUnit> units = sources.stream().map(TextUnit::named).toList();
    boolean compiled;
    synchronized (FILES) {
      writeTo(folder);
      compiled = JAVAC.getTask(null, FILES, problems, options, null, units).call();
    }
    if (!compiled) {
      throw new IllegalStateException(
          problems.getDiagnostics().stream().map(Object::toString).collect(joining("\n")));
    }
    return new ClassFileImporter().importPath(folder);
  }

  private static void writeTo(Path folder) {
    try {
      Files.createDirectories(folder);
      FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
