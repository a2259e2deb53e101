package dev.leasehold.verification.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.rules.Caller;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.testkit.history.Answer;
import dev.leasehold.testkit.history.Ask;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecks;
import dev.leasehold.testkit.history.LogEntry;
import dev.leasehold.testkit.history.Result;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.verification.simulation.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
  private static final int SEEDS = 20;
  private static final LeaseKey KEY = new LeaseKey("lock/planted");
  private static final Token TOKEN = Token.of(7, 1);
  private static final Remembered.Request ACQUIRE =
      new Remembered.Request(
          new RequestId("a"),
          new Caller.Holder(Instance.of("a".repeat(32)).id()),
          Remembered.Verb.ACQUIRE);

  @TempDir Path folder;

  private Path written(List<Event> events) {
    Path file = folder.resolve("history");
    try (HistoryFile out = HistoryFile.create(file)) {
      events.forEach(out::add);
    }
    return file;
  }

  private static List<Event> call(Result result) {
    Ask ask = new Ask.Requested(KEY, ACQUIRE, Optional.empty());
    return List.of(new Event.Called("p", 1, ask, 10), new Event.Returned("p", 1, result, 20));
  }

  private static Event granted() {
    return new LogEntry(KEY, 1, 0, new LogEntry.Granted(TOKEN, ACQUIRE, 30));
  }

  @Test
  void whatIsWrittenIsReadBack() {
    List<Event> events =
        LongStream.rangeClosed(1, SEEDS)
            .mapToObj(Simulation::history)
            .flatMap(List::stream)
            .toList();
    assertThat(events).hasSizeGreaterThan(SEEDS * 1_000);
    assertThat(HistoryFile.read(written(events)).equals(events)).isTrue();
  }

  @Test
  void anyTextIsReadBack() {
    List<Event> events = new ArrayList<>(call(new Result.Unknown("=100% \n done\u00e9 -")));
    events.add(new Event.Returned("p", 2, new Result.Failed(""), 3));
    events.add(new Event.ClockShown(4, 5));
    assertThat(HistoryFile.read(written(events))).isEqualTo(events);
  }

  @Test
  void aTornLastLineLeavesItsCallUnknown() throws IOException {
    List<Event> events = new ArrayList<>(List.of(granted()));
    events.addAll(call(new Result.Ok(new Answer.Granted(TOKEN, 0, 30, 30))));
    Path file = written(events);
    String whole = Files.readString(file);
    for (int cut = whole.lastIndexOf("returned"); cut < whole.length(); cut++) {
      Files.writeString(file, whole.substring(0, cut));
      CheckResult verdict = HistoryChecks.check(History.of(HistoryFile.read(file)));
      verdict.requireClean();
      assertThat(verdict.tally().of(Count.UNKNOWNS_APPLIED)).isEqualTo(1);
    }
  }

  @Test
  void aLineThatIsNoEventIsRefusedWithItsPlace() throws IOException {
    Path file = written(List.of(granted()));
    Files.writeString(file, Files.readString(file) + "log lock/x 1 what\nfault restarted 1\n");
    assertThatThrownBy(() -> HistoryFile.read(file))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("line 2");
  }

  @Test
  void aFileBelongsToOneProcess() {
    Path file = written(List.of());
    assertThatThrownBy(() -> HistoryFile.create(file)).isInstanceOf(UncheckedIOException.class);
  }
}
