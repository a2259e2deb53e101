import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Leaves a file behind if the JDK that runs this is new enough to build Leasehold. */
final class ProbeJdk {
  public static void main(String[] args) throws IOException {
    Path marker = Path.of(args[0]);
    Files.deleteIfExists(marker);
    if (Runtime.version().feature() >= 21) {
      Files.createDirectories(marker.getParent());
      Files.writeString(marker, System.getProperty("java.home"));
    }
  }
}
