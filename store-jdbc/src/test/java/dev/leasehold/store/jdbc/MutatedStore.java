package dev.leasehold.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import dev.leasehold.blocks.locks.Locks;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.store.jdbc.connections.Sql;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A copy of the store and its tests with one edit, in a statement or in a source file: a class
 * loader loads it anew, with the edited file first. The real code does not depend on it.
 */
final class MutatedStore {
  private static final Path MAIN = Path.of("src", "main").toAbsolutePath();
  private static final String PACKAGE = "dev/leasehold/store/jdbc/";

  private final Method firstToFail;

  private MutatedStore(Method firstToFail) {
    this.firstToFail = firstToFail;
  }

  /** The file with the edit in it. */
  static String textOf(StoreMutant.Edit edit) throws IOException {
    String path = PACKAGE + edit.file();
    return edit.applyTo(
        Files.readString(MAIN.resolve(isSource(edit) ? "java" : "resources").resolve(path)));
  }

  private static boolean isSource(StoreMutant.Edit edit) {
    return edit.file().endsWith(".java");
  }

  static MutatedStore of(StoreMutant.Edit edit, Path folder) throws Exception {
    Path edited = folder.resolve(PACKAGE + edit.file());
    Files.createDirectories(Objects.requireNonNull(edited.getParent()));
    Files.writeString(edited, textOf(edit));
    if (isSource(edit)) {
      compile(edited, folder);
    }
    Method run =
        new ChildFirst(folder)
            .loadClass(MutantTrial.class.getName())
            .getDeclaredMethod("firstToFail", List.class);
    run.setAccessible(true);
    return new MutatedStore(run);
  }

  /** The first of these that fails, and its message; empty if none does. */
  String firstToFail(List<String> killers) throws Exception {
    try {
      return (String) firstToFail.invoke(null, killers);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static void compile(Path source, Path folder) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("-proc:none", "-nowarn", "-cp", classPath(), "-d", folder.toString());
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
              .call();
      if (!compiled) {
        throw new AssertionError("the mutant does not compile:\n" + messages);
      }
    }
  }

  private static String classPath() {
    return Stream.of(
            Sql.class,
            LeaseKey.class,
            Command.class,
            Locks.class,
            HikariConfig.class,
            PGConnection.class,
            NullMarked.class)
        .map(MutatedStore::placeOf)
        .collect(Collectors.joining(System.getProperty("path.separator")));
  }

  private static String placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no place for " + type, e);
    }
  }

  /** Loads this package and the harness anew; shared classes come from the parent. */
  private static final class ChildFirst extends ClassLoader {
    private static final String OWN = "dev.leasehold.store.jdbc.";

    private final Path folder;

    ChildFirst(Path folder) {
      super(MutatedStore.class.getClassLoader());
      this.folder = folder;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(OWN)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }

    @Override
    public @Nullable URL getResource(String name) {
      Path edited = folder.resolve(name);
      try {
        return Files.isRegularFile(edited) ? edited.toUri().toURL() : super.getResource(name);
      } catch (MalformedURLException e) {
        throw new IllegalStateException(e);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      URL place = getResource(name.replace('.', '/') + ".class");
      if (place == null) {
        throw new ClassNotFoundException(name);
      }
      try (InputStream in = place.openStream()) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
