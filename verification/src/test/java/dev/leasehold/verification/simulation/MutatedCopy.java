package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.testkit.model.ModelStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The simulator, on a copy of the holder's side with some edits in its source: compiled into a
 * folder, and loaded from there first. The real code does not know of it.
 */
final class MutatedCopy {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private final Method run;

  private MutatedCopy(Method run) {
    this.run = run;
  }

  static MutatedCopy of(List<Mutant.Edit> edits, Path folder) throws Exception {
    compile(edited(edits), folder);
    ClassLoader loader = new ChildFirst(folder);
    Method run = loader.loadClass(Simulation.class.getName()).getMethod("run", long.class);
    return new MutatedCopy(run);
  }

  SimulationReport run(long seed) {
    try {
      return (SimulationReport) run.invoke(null, seed);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("seed " + seed + " could not be run", e);
    }
  }

  /** The files with the edits in them, by name. */
  static Map<String, String> edited(List<Mutant.Edit> edits) throws IOException {
    Map<String, String> sources = new LinkedHashMap<>();
    for (Mutant.Edit edit : edits) {
      String before =
          sources.getOrDefault(edit.file(), Files.readString(ROOT.resolve(edit.file())));
      int at = before.indexOf(edit.find());
      if (at < 0 || before.indexOf(edit.find(), at + 1) >= 0) {
        throw new AssertionError(
            "'" + edit.find() + "' must be in " + edit.file() + " exactly once: adapt the mutant");
      }
      sources.put(edit.file(), before.replace(edit.find(), edit.replace()));
    }
    return sources;
  }

  private static void compile(Map<String, String> sources, Path folder) throws Exception {
    if (sources.isEmpty()) {
      return;
    }
    Path sourceFolder = Files.createDirectories(folder.resolve("source"));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path name = Path.of(source.getKey()).getFileName();
      Files.writeString(sourceFolder.resolve(name), source.getValue());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> written = Files.list(sourceFolder)) {
      List<String> options =
          List.of("-proc:none", "-cp", classPath(), "-d", folder.toString(), "-nowarn");
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  files,
                  null,
                  options,
                  null,
                  files.getJavaFileObjectsFromPaths(written.toList()))
              .call();
      if (!compiled) {
        throw new AssertionError("the mutant does not compile:\n" + messages);
      }
    }
  }

  private static String classPath() {
    return Stream.of(
            LeaseKey.class, Command.class, ModelStore.class, Simulation.class, NullMarked.class)
        .map(MutatedCopy::placeOf)
        .collect(Collectors.joining(System.getProperty("path.separator")));
  }

  private static String placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no place for " + type, e);
    }
  }

  /** Loads every class again except the report, which both copies share. */
  private static final class ChildFirst extends ClassLoader {
    private static final List<String> OWN =
        List.of(
            "dev.leasehold.fence.",
            "dev.leasehold.kernel.",
            "dev.leasehold.testkit.",
            "dev.leasehold.verification.simulation.");

    private final Path folder;

    ChildFirst(Path folder) {
      super(MutatedCopy.class.getClassLoader());
      this.folder = folder;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      boolean own =
          OWN.stream().anyMatch(name::startsWith) && !name.equals(SimulationReport.class.getName());
      if (!own) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      byte @Nullable [] bytes = bytesOf(name.replace('.', '/') + ".class");
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }

    private byte @Nullable [] bytesOf(String file) {
      try {
        Path mutated = folder.resolve(file);
        if (Files.exists(mutated)) {
          return Files.readAllBytes(mutated);
        }
        try (InputStream original = getParent().getResourceAsStream(file)) {
          return original == null ? null : original.readAllBytes();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
