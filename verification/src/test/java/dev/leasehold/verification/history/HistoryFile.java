package dev.leasehold.verification.history;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.EventSink;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of one process in a file, one on a line, fields separated by a space:
 *
 * <pre>
 *   called PROCESS NUMBER NANOS KEY request ID (holder INSTANCE-ID | operator =NAME) VERB TOKEN|-
 *   called PROCESS NUMBER NANOS KEY renew INSTANCE-ID TOKEN
 *   returned PROCESS NUMBER NANOS ok ANSWER ... | failed =WHY | unknown =WHY
 *   log KEY SEQUENCE STORE-MILLIS EFFECT ...
 *   target =NAME KEY TOKEN POSITION NANOS ACTION ...
 *   fault KIND ...
 * </pre>
 *
 * <p>After an equals sign comes any text, encoded as in a form's URL; the fields of answers,
 * effects, actions and faults are those of the records of these names, in their order.
 *
 * <p>Each line is passed to the operating system at once and whole, so that it survives a kill of
 * the process. An incomplete last line is the trace of such a kill and is ignored when reading: its
 * call has no answer then, and counts as unknown. A file belongs to one process from its start to
 * its end.
 */
public final class HistoryFile implements EventSink, AutoCloseable {
  // Not a channel, which closes when a writing thread is interrupted, as holders are.
  private final FileOutputStream out;

  private HistoryFile(FileOutputStream out) {
    this.out = out;
  }

  /** Starts a new file; one that exists is another process's. */
  public static HistoryFile create(Path file) {
    try {
      return new HistoryFile(new FileOutputStream(Files.createFile(file).toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write a history to " + file, e);
    }
  }

  @Override
  public void add(Event event) {
    byte[] line = LineWriter.write(event).getBytes(StandardCharsets.US_ASCII);
    try {
      write(line);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the history on", e);
    }
  }

  private synchronized void write(byte[] line) throws IOException {
    out.write(line);
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the history", e);
    }
  }

  /** Reads what a process has written, up to where it was killed. */
  public static List<Event> read(Path file) {
    String content;
    try {
      content = Files.readString(file, StandardCharsets.US_ASCII);
    } catch (CharacterCodingException e) {
      throw new IllFormedException(file + " is no history: it is not written in ASCII");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the history in " + file, e);
    }
    LineReader reader = new LineReader();
    List<Event> events = new ArrayList<>();
    int start = 0;
    for (int end = content.indexOf('\n'); end >= 0; end = content.indexOf('\n', start)) {
      try {
        events.add(reader.read(content.substring(start, end)));
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new IllFormedException(
            file + ", line " + (events.size() + 1) + ": " + e.getMessage());
      }
      start = end + 1;
    }
    return events;
  }
}
