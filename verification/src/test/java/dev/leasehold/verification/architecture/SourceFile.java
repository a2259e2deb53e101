package dev.leasehold.verification.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A Java source file, parsed but not compiled.
 *
 * @param path relative to the root of the repository, with forward slashes
 */
record SourceFile(String path, String text, CompilationUnitTree tree, SourcePositions positions) {
  private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();
  private static final StandardJavaFileManager FILES =
      JAVAC.getStandardFileManager(null, null, null);

  /** Every source file of every module, parsed once. */
  static List<SourceFile> all() {
    return Repository.FILES;
  }

  static SourceFile parse(String path, String text) {
    return parse(List.of(new TextUnit(path, text))).getFirst();
  }

  /** In one task, since to begin a task takes many times as long as to parse a file. */
  private static List<SourceFile> parse(List<TextUnit> units) {
    JavacTask task =
        (JavacTask) JAVAC.getTask(null, FILES, null, List.of("-proc:none"), null, units);
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    List<SourceFile> files = new ArrayList<>();
    try {
      for (CompilationUnitTree tree : task.parse()) {
        JavaFileObject unit = tree.getSourceFile();
        String text = unit.getCharContent(true).toString();
        files.add(new SourceFile(TextUnit.path(unit), text, tree, positions));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(files);
  }

  String packageName() {
    return Objects.requireNonNull(tree.getPackageName(), path).toString();
  }

  String module() {
    return path.substring(0, path.indexOf("/src/"));
  }

  boolean isMain() {
    return path.contains("/src/main/java/");
  }

  boolean isNamed(String fileName) {
    return path.endsWith("/" + fileName);
  }

  /** Every part of the file that is of a kind, in the order of the text. */
  <T extends Tree> List<T> parts(Class<T> kind) {
    List<T> parts = new ArrayList<>();
    new TreeScanner<Void, List<T>>() {
      @Override
      public Void scan(Tree part, List<T> found) {
        if (kind.isInstance(part)) {
          found.add(kind.cast(part));
        }
        return super.scan(part, found);
      }
    }.scan(tree, parts);
    return parts;
  }

  int start(Tree part) {
    return (int) positions.getStartPosition(tree, part);
  }

  int end(Tree part) {
    return (int) positions.getEndPosition(tree, part);
  }

  long line(long position) {
    return tree.getLineMap().getLineNumber(position);
  }

  /** The position of a part, in the form that terminals and editors turn into a link. */
  String at(Tree part) {
    return path + ":" + line(start(part));
  }

  private static final class Repository {
    static final List<SourceFile> FILES = read(root());

    private static Path root() {
      Path folder = Path.of("").toAbsolutePath();
      while (!Files.isDirectory(folder.resolve(".mvn"))) {
        folder = folder.getParent();
        if (folder == null) {
          throw new IllegalStateException(
              "not inside the repository: " + Path.of("").toAbsolutePath());
        }
      }
      return folder;
    }

    private static List<SourceFile> read(Path root) {
      try (Stream<Path> modules = Files.list(root);
          Stream<Path> examples = Files.list(root.resolve("examples"))) {
        return parse(
            Stream.concat(modules, examples)
                .flatMap(module -> Stream.of("src/main/java", "src/test/java").map(module::resolve))
                .filter(Files::isDirectory)
                .flatMap(Repository::javaFiles)
                .sorted()
                .map(file -> new TextUnit(relative(root, file), text(file)))
                .toList());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static Stream<Path> javaFiles(Path folder) {
      try (Stream<Path> paths = Files.walk(folder)) {
        return paths.filter(path -> path.toString().endsWith(".java")).toList().stream();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String relative(Path root, Path file) {
      return root.relativize(file).toString().replace('\\', '/');
    }

    private static String text(Path file) {
      try {
        return Files.readString(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
