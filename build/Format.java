import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Runs google-java-format over every Java file of the repository that has changed since it was last
 * found well formatted, in one JVM. Leaves a marker file behind if all is well; the build then
 * looks for it and so can fail with a sentence of its own.
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
    List<String> files = javaFiles(root);
    Path known = Path.of(args[2] + "-before");
    List<String> changed = changed(files, known);
    Files.deleteIfExists(marker);
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    command.addAll(changed);
    if (changed.isEmpty()
        || new Main(out, err, System.in).format(command.toArray(String[]::new)) == 0) {
      Files.write(known, digests(files));
      Files.writeString(marker, "");
    }
  }

  private static List<String> changed(List<String> files, Path known) throws Exception {
    Set<String> before =
        Files.exists(known) ? new HashSet<>(Files.readAllLines(known)) : Set.<String>of();
    List<String> digests = digests(files);
    List<String> changed = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!before.contains(digests.get(i))) {
        changed.add(files.get(i));
      }
    }
    return changed;
  }

  /** Of each file's text and of the formatter, of which another version has another opinion. */
  private static List<String> digests(List<String> files)
      throws IOException, NoSuchAlgorithmException {
    byte[] formatter =
        String.valueOf(Main.class.getPackage().getImplementationVersion())
            .getBytes(StandardCharsets.UTF_8);
    List<String> digests = new ArrayList<>();
    for (String file : files) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(formatter);
      digests.add(new BigInteger(1, digest.digest(Files.readAllBytes(Path.of(file)))).toString(16));
    }
    return digests;
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
