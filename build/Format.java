import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs google-java-format over every Java file of the repository, in one JVM. Leaves a marker file
 * behind if all is well; the build then looks for it and so can fail with a sentence of its own.
 */
final class Format {
  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]);
    List<String> command =
        new ArrayList<>(
            switch (args[1]) {
              case "check" -> List.of("--dry-run", "--set-exit-if-changed");
              case "apply" -> List.of("--replace");
              default -> throw new IllegalArgumentException("format is check or apply: " + args[1]);
            });
    Path marker = Path.of(args[2]);
    command.addAll(javaFiles(root));
    Files.deleteIfExists(marker);
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    if (new Main(out, err, System.in).format(command.toArray(String[]::new)) == 0) {
      Files.writeString(marker, "");
    }
  }

  /** Only src and build folders are read, so nothing generated is ever touched. */
  private static List<String> javaFiles(Path root) throws IOException {
    List<String> files = new ArrayList<>();
    for (Path folder : sourceFolders(root)) {
      try (Stream<Path> paths = Files.walk(folder)) {
        paths.map(Path::toString).filter(p -> p.endsWith(".java")).sorted().forEach(files::add);
      }
    }
    return files;
  }

  private static List<Path> sourceFolders(Path root) throws IOException {
    try (Stream<Path> modules = Files.list(root);
        Stream<Path> examples = Files.list(root.resolve("examples"))) {
      return Stream.concat(
              Stream.of(root.resolve("build")),
              Stream.concat(modules, examples).map(module -> module.resolve("src")))
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    }
  }
}
