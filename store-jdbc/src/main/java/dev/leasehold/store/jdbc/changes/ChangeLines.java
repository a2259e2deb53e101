package dev.leasehold.store.jdbc.changes;

import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.Version;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.LeaseChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Changes as text, the same in a notification and in a row: the sender on the first line, then a
 * line each. A text that cannot be read counts as a reset: whoever gets one reads again.
 */
public final class ChangeLines {
  /** PostgreSQL takes payloads below 8,000 bytes; keys are ASCII, so a character is a byte. */
  static final int MAX_LENGTH = 7_900;

  private static final String RESET = "RESET";
  private static final String PROBE = "PROBE ";

  private final String sender = UUID.randomUUID().toString().substring(0, 13);

  /** What a text says. */
  sealed interface Heard {}

  record Changes(List<LeaseChange> changes, List<ObjectChange> objects) implements Heard {}

  record Reset() implements Heard {}

  /** One's own, or of no interest. */
  record Nothing() implements Heard {}

  public List<String> texts(List<LeaseChange> changes) {
    return packed(
        changes.stream()
            .map(c -> "\n" + c.kind().name() + " " + c.token().value() + " " + c.key().text())
            .toList());
  }

  /** The same for objects: their kinds are other words. */
  public List<String> objectTexts(List<ObjectChange> changes) {
    return packed(
        changes.stream()
            .map(
                c ->
                    "\n%s %d %s %s"
                        .formatted(c.kind(), c.version().value(), c.name().type(), c.name().id()))
            .toList());
  }

  /** As few texts as will do. */
  private List<String> packed(List<String> lines) {
    List<String> texts = new ArrayList<>();
    StringBuilder text = new StringBuilder(sender);
    for (String line : lines) {
      if (text.length() + line.length() > MAX_LENGTH) {
        texts.add(text.toString());
        text = new StringBuilder(sender);
      }
      text.append(line);
    }
    if (text.length() > sender.length()) {
      texts.add(text.toString());
    }
    return texts;
  }

  String reset() {
    return sender + "\n" + RESET;
  }

  /** Changes nothing, and is looked for by whoever sent it. */
  String probe(UUID id) {
    return sender + "\n" + PROBE + id;
  }

  Heard read(String text) {
    List<String> lines = text.lines().toList();
    if (!lines.isEmpty() && lines.getFirst().equals(sender)) {
      return new Nothing();
    }
    List<LeaseChange> changes = new ArrayList<>();
    List<ObjectChange> objects = new ArrayList<>();
    try {
      for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
        if (isOfObject(line)) {
          objects.add(objectChange(line));
        } else if (!line.startsWith(PROBE)) {
          changes.add(change(line));
        }
      }
    } catch (IllegalArgumentException e) {
      return new Reset();
    }
    return new Changes(changes, objects);
  }

  private static boolean isOfObject(String line) {
    return Arrays.stream(ObjectChange.Kind.values())
        .anyMatch(kind -> line.startsWith(kind.name() + " "));
  }

  private static ObjectChange objectChange(String line) {
    String[] words = line.split(" ", 4);
    if (words.length != 4) {
      throw new IllegalArgumentException("not a change: " + line);
    }
    return new ObjectChange(
        ObjectChange.Kind.valueOf(words[0]),
        ObjectName.of(words[2], words[3]),
        new Version(Long.parseLong(words[1])));
  }

  private static LeaseChange change(String line) {
    String[] words = line.split(" ", 3);
    if (words.length != 3) {
      throw new IllegalArgumentException("not a change: " + line);
    }
    return new LeaseChange(
        LeaseChange.Kind.valueOf(words[0]),
        new LeaseKey(words[2]),
        new Token(Long.parseLong(words[1])));
  }
}
