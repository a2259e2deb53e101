package dev.leasehold.store.jdbc.health;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What processes have seen of a store, kept outside its database: a text file in a folder {@code
 * witness}, named by the store's id.
 */
public final class WitnessFile {
  private static final String FIRST_LINE = "leasehold witness 2";

  /** The first version, without links, ttl, refusal and the instances of grants. */
  private static final String FIRST_LINE_BEFORE = "leasehold witness 1";

  private static final String NO_INSTANCE = "-";
  private static final int WORDS_OF_A_GRANT = 3;

  private final SharedFile file;

  public WitnessFile(Path folder, String storeId) {
    this.file = new SharedFile(folder.resolve("witness").resolve(storeId));
  }

  /** Reads the file; empty if there is none. */
  public Optional<Witnessed> read() {
    return file.read(List.of(FIRST_LINE, FIRST_LINE_BEFORE), WitnessFile::parse);
  }

  /**
   * Adds what this process has seen to what others have written, and returns the whole.
   *
   * @param compared the position in this file when the store was last compared with it
   */
  Witnessed add(Witnessed seen, Position compared) {
    return file.change(
        new SharedFile.Content<>() {
          @Override
          public Optional<Witnessed> read() {
            return WitnessFile.this.read();
          }

          @Override
          public String text(Witnessed kept) {
            return WitnessFile.text(kept);
          }
        },
        before -> before.map(known -> known.continuedBy(seen, compared)).orElse(seen));
  }

  private static Witnessed parse(String firstLine, List<String> lines) {
    Reader reader = new Reader(firstLine.equals(FIRST_LINE));
    lines.forEach(reader::read);
    return reader.witnessed();
  }

  /** Reads line by line; the first word of a line says what follows. */
  private static final class Reader {
    private final boolean withInstances;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<LeaseKey, SeenGrant> grants = new LinkedHashMap<>();

    Reader(boolean withInstances) {
      this.withInstances = withInstances;
    }

    void read(String line) {
      String[] words = line.split(" ", 2);
      if (words.length < 2) {
        throw new IllegalArgumentException("'" + line + "' says nothing");
      }
      switch (words[0]) {
        case "grant" -> readGrant(words[1]);
        case "incarnation", "wal", "system", "timeline", "ttl", "newest", "milestone", "refused" ->
            values.put(words[0], words[1]);
        default -> throw new IllegalArgumentException("'" + line + "' is not known");
      }
    }

    private void readGrant(String text) {
      String[] words = text.split(" ", withInstances ? WORDS_OF_A_GRANT : WORDS_OF_A_GRANT - 1);
      Token token = new Token(Long.parseLong(words[0]));
      Optional<InstanceId> instance =
          withInstances && !words[1].equals(NO_INSTANCE)
              ? Optional.of(new InstanceId(words[1]))
              : Optional.empty();
      grants.put(new LeaseKey(words[words.length - 1]), new SeenGrant(token, instance));
    }

    Witnessed witnessed() {
      Position position =
          new Position(
              number("wal"),
              required("system"),
              number("timeline"),
              link("newest"),
              link("milestone"));
      return new Witnessed(
          (int) number("incarnation"),
          position,
          Long.parseLong(values.getOrDefault("ttl", "0")),
          grants,
          Optional.ofNullable(values.get("refused")).map(Reader::refusal));
    }

    private static Refusal.LostWrites refusal(String text) {
      String[] words = text.split(" ", 2);
      return new Refusal.LostWrites(Integer.parseInt(words[0]), words[1]);
    }

    private Optional<Link> link(String word) {
      return Optional.ofNullable(values.get(word))
          .map(text -> text.split(" ", 2))
          .map(words -> new Link(Long.parseLong(words[0]), words[1]));
    }

    private long number(String word) {
      return Long.parseLong(required(word));
    }

    private String required(String word) {
      String value = values.get(word);
      if (value == null) {
        throw new IllegalArgumentException("it does not say '" + word + "'");
      }
      return value;
    }
  }

  private static String text(Witnessed seen) {
    Position position = seen.position();
    StringBuilder text = new StringBuilder(FIRST_LINE);
    text.append("\nincarnation ").append(seen.incarnation());
    text.append("\nwal ").append(position.walPosition());
    text.append("\nsystem ").append(position.systemId());
    text.append("\ntimeline ").append(position.timeline());
    text.append("\nttl ").append(seen.longestTtlMillis());
    position.newest().ifPresent(link -> text.append("\nnewest ").append(text(link)));
    position.milestone().ifPresent(link -> text.append("\nmilestone ").append(text(link)));
    seen.refused().ifPresent(r -> text.append("\nrefused " + r.incarnation() + " " + r.sentence()));
    seen.grants().forEach((key, grant) -> text.append("\ngrant ").append(text(key, grant)));
    return text.toString();
  }

  private static String text(Link link) {
    return link.height() + " " + link.value();
  }

  private static String text(LeaseKey key, SeenGrant grant) {
    String instance = grant.instanceId().map(InstanceId::text).orElse(NO_INSTANCE);
    return grant.token().value() + " " + instance + " " + key.text();
  }
}
