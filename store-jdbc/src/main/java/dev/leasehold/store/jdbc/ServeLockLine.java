package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * A line of a {@link ServeLock}'s file, behind its own checksum. No process relied on an incomplete
 * line: the process that wrote it died before the write returned.
 */
sealed interface ServeLockLine {
  String text();

  /** The process that serves from this line on. */
  record Serving(long pid, Instant since, String holder) implements ServeLockLine {
    @Override
    public String text() {
      return "serve " + pid + " " + since + " " + holder;
    }

    String forPeople() {
      return holder + " (process " + pid + ", since " + since + ")";
    }
  }

  /** The serving process holds leases under this id. */
  record HoldsAs(InstanceId id) implements ServeLockLine {
    @Override
    public String text() {
      return "instance " + id.text();
    }
  }

  static String write(ServeLockLine line) {
    return checksum(line.text()) + " " + line.text() + "\n";
  }

  private static String checksum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }

  /** The complete lines of a file. */
  static List<ServeLockLine> read(String contents) {
    List<ServeLockLine> lines = new ArrayList<>();
    for (String line : contents.split("\n", -1)) {
      int space = line.indexOf(' ');
      if (space > 0 && checksum(line.substring(space + 1)).equals(line.substring(0, space))) {
        lines.add(parse(line.substring(space + 1)));
      }
    }
    return lines;
  }

  private static ServeLockLine parse(String text) {
    String[] words = text.split(" ", 4);
    return switch (words[0]) {
      case "serve" -> new Serving(Long.parseLong(words[1]), Instant.parse(words[2]), words[3]);
      case "instance" -> new HoldsAs(new InstanceId(words[1]));
      default ->
          throw new StoreUnusableException(
              "the serve lock file says '" + text + "', which this version does not understand");
    };
  }

  static Optional<Serving> lastServing(List<ServeLockLine> lines) {
    return lines.reversed().stream()
        .filter(Serving.class::isInstance)
        .map(Serving.class::cast)
        .findFirst();
  }

  static Set<InstanceId> instanceIds(List<ServeLockLine> lines) {
    Set<InstanceId> ids = new LinkedHashSet<>();
    for (ServeLockLine line : lines) {
      if (line instanceof HoldsAs(InstanceId id)) {
        ids.add(id);
      }
    }
    return ids;
  }
}
