package dev.leasehold.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.testkit.random.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
  @TempDir Path folder;

  private Path written(List<Event> events) {
    Path file = folder.resolve("history");
    try (HistoryFile out = HistoryFile.create(file)) {
      events.forEach(out::add);
    }
    return file;
  }

  @Test
  void whatIsWrittenIsReadBack() {
    Seed seed = Seed.forTest("history files");
    List<Event> events = LegalRun.generate(seed.random(), new LegalRun.Plan(20_000, 5, 200));
    assertThat(HistoryFile.read(written(events)).equals(events)).as(seed.toString()).isTrue();
  }

  @Test
  void anyTextIsReadBack() {
    Result odd = new Result.Unknown("=100% \n done\u00e9 -");
    List<Event> events = new Scene().call(Scene.acquire("-", Scene.ALICE), 1, 2, odd).events();
    events.add(new Event.Returned("p", 2, new Result.Failed(""), 3));
    events.add(new Event.ClockShown(4, 5));
    assertThat(HistoryFile.read(written(events))).isEqualTo(events);
  }

  @Test
  void aTornLastLineLeavesItsCallUnknown() throws IOException {
    Scene scene =
        new Scene()
            .granted(0, 1, Scene.acquire("a", Scene.ALICE))
            .call(Scene.acquire("a", Scene.ALICE), 10, 20, Scene.okGranted(1));
    Path file = written(scene.events());
    String whole = Files.readString(file);
    for (int cut = whole.lastIndexOf("returned"); cut < whole.length(); cut++) {
      Files.writeString(file, whole.substring(0, cut));
      Verdict verdict = HistoryChecks.check(History.of(HistoryFile.read(file)));
      verdict.requireClean();
      assertThat(verdict.tally().of(Count.UNKNOWNS_APPLIED)).isEqualTo(1);
    }
  }

  @Test
  void aLineThatIsNoEventIsRefusedWithItsPlace() throws IOException {
    Path file = written(new Scene().granted(0, 1, Scene.acquire("a", Scene.ALICE)).events());
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

  @Test
  void theFilesOfSeveralProcessesMakeOneHistory() {
    List<Event> first = new ArrayList<>(List.of(called("one", 1, 5), returned("one", 1, 9)));
    List<Event> second = List.of(called("two", 1, 6), returned("two", 1, 8));
    first.addAll(second);
    assertThat(History.of(first).keys())
        .singleElement()
        .satisfies(key -> assertThat(key.calls()).hasSize(2));
  }

  private static Event called(String process, long number, long nanos) {
    return new Event.Called(process, number, Scene.renewal(1, Scene.ALICE), nanos);
  }

  private static Event returned(String process, long number, long nanos) {
    return new Event.Returned(process, number, Scene.ok(new Answer.Renewed(30)), nanos);
  }
}
