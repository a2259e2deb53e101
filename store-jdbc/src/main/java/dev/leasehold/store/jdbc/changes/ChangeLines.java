package dev.leasehold.store.jdbc.changes;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Changes as text, the same in a notification and in a row: the first line names the sender, and
 * each further line is a change, whose first word gives its kind. A text that cannot be read counts
 * as a reset: the watchers read again.
 */
public final class ChangeLines {
  /** PostgreSQL takes payloads below 8,000 bytes; keys are ASCII, so a character is a byte. */
  static final int MAX_LENGTH = 7_900;

  private static final String RESET = "RESET";
  private static final String PROBE = "PROBE";

  private final String sender = UUID.randomUUID().toString().substring(0, 13);
  private final Map<String, ChangeKind<?>> kinds = new ConcurrentHashMap<>();

  /** The meaning of a text. */
  sealed interface Heard {}

  record Changes(List<Change<?>> changes) implements Heard {
    <C> List<C> of(ChangeKind<C> kind) {
      return changes.stream().flatMap(change -> change.as(kind)).toList();
    }
  }

  record Reset() implements Heard {}

  /** The text is this process's own, or of no interest. */
  record Nothing() implements Heard {}

  /** A change with its kind. */
  record Change<C>(ChangeKind<C> kind, C content) {
    static <C> Change<C> read(ChangeKind<C> kind, String line) {
      return new Change<>(kind, kind.read(line));
    }

    @SuppressWarnings("unchecked") // a change has the type of its kind
    <T> Stream<T> as(ChangeKind<T> other) {
      return kind.equals(other) ? Stream.of((T) content) : Stream.empty();
    }
  }

  /** Adds a kind; its lines can be read from now on. */
  public <C> ChangeLines with(ChangeKind<C> kind) {
    kind.words().forEach(word -> kinds.put(word, kind));
    return this;
  }

  /** The changes in as few texts as possible. */
  public <C> List<String> texts(ChangeKind<C> kind, List<C> changes) {
    List<String> texts = new ArrayList<>();
    StringBuilder text = new StringBuilder(sender);
    for (C change : changes) {
      String line = kind.line(change);
      if (text.length() + 1 + line.length() > MAX_LENGTH) {
        texts.add(text.toString());
        text = new StringBuilder(sender);
      }
      text.append('\n').append(line);
    }
    if (text.length() > sender.length()) {
      texts.add(text.toString());
    }
    return texts;
  }

  /** On a file: writes the changes in the transaction that makes them. */
  public <C> void post(
      StoreConnection connection, ChangeKind<C> kind, List<? extends Committed<C>> settled)
      throws SQLException {
    SequenceCursor.post(connection, texts(kind, Committed.changes(settled)));
  }

  String reset() {
    return sender + "\n" + RESET;
  }

  /** Announces no change; its sender waits for it, to test the way. */
  String probe(UUID id) {
    return sender + "\n" + PROBE + " " + id;
  }

  Heard read(String text) {
    List<String> lines = text.lines().toList();
    if (!lines.isEmpty() && lines.getFirst().equals(sender)) {
      return new Nothing();
    }
    List<Change<?>> changes = new ArrayList<>();
    try {
      for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
        String word = line.split(" ", 2)[0];
        if (!word.equals(PROBE)) {
          changes.add(Change.read(kind(word), line));
        }
      }
    } catch (IllegalArgumentException e) {
      return new Reset();
    }
    return new Changes(changes);
  }

  private ChangeKind<?> kind(String word) {
    ChangeKind<?> kind = kinds.get(word);
    if (kind == null) {
      throw new IllegalArgumentException("no kind of change is known by " + word);
    }
    return kind;
  }

  /** The words of a line; the last one may contain spaces. */
  public static String[] words(String line, int count) {
    String[] words = line.split(" ", count);
    if (words.length != count) {
      throw new IllegalArgumentException("not a change: " + line);
    }
    return words;
  }
}
