import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes down where this JDK is, if it is new enough to build Leasehold. */
final class ProbeJdk {
  public static void main(String[] args) throws IOException {
    Path result = Path.of(args[0]);
    Files.deleteIfExists(result);
    if (Runtime.version().feature() >= 21) {
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      Files.createDirectories(result.getParent());
      Files.writeString(result, "jdk.java=" + java.replace('\\', '/') + "\n");
    }
  }
}
