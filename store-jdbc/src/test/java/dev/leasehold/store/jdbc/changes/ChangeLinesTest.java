package dev.leasehold.store.jdbc.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.store.jdbc.leases.LeaseChanges;
import dev.leasehold.store.jdbc.objects.ObjectChanges;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Changes as text. */
class ChangeLinesTest {
  private final ChangeLines here = lines();
  private final ChangeLines there = lines();

  private static ChangeLines lines() {
    return new ChangeLines().with(LeaseChanges.KIND).with(ObjectChanges.KIND);
  }

  private static LeaseChange change(int number) {
    String name = "lock/" + "x".repeat(LeaseKey.MAX_LENGTH - 10) + number;
    return new LeaseChange(Kind.RELEASED, new LeaseKey(name), new Token(number + 1));
  }

  @Test
  void many_changes_fill_several_texts_that_notify_takes() {
    List<LeaseChange> changes = IntStream.range(0, 100).mapToObj(ChangeLinesTest::change).toList();
    List<String> texts = here.texts(LeaseChanges.KIND, changes);
    assertThat(texts).hasSizeGreaterThan(1).allMatch(text -> text.length() < 8_000);
    List<LeaseChange> read =
        texts.stream()
            .flatMap(
                text -> ((ChangeLines.Changes) there.read(text)).of(LeaseChanges.KIND).stream())
            .toList();
    assertThat(read).isEqualTo(changes);
  }

  @Test
  void no_changes_are_no_text() {
    assertThat(here.texts(LeaseChanges.KIND, List.of())).isEmpty();
  }

  @Test
  void ones_own_are_nothing_new() {
    assertThat(here.read(here.texts(LeaseChanges.KIND, List.of(change(1))).getFirst()))
        .isEqualTo(new ChangeLines.Nothing());
    assertThat(here.read(here.reset())).isEqualTo(new ChangeLines.Nothing());
  }

  @Test
  void a_line_that_cannot_be_read_is_a_reset() {
    assertThat(there.read(here.reset())).isEqualTo(new ChangeLines.Reset());
    for (String line :
        List.of("RELEASED", "RELEASED x lock/a", "RELEASED 5 nokey", "LATER 1 a/b")) {
      assertThat(there.read("somebody\n" + line)).isEqualTo(new ChangeLines.Reset());
    }
  }

  @Test
  void a_probe_of_another_is_no_change() {
    assertThat(there.read(here.probe(UUID.randomUUID())))
        .isEqualTo(new ChangeLines.Changes(List.of()));
  }

  @Test
  void changes_of_objects_are_read_as_they_were_written() {
    List<ObjectChange> changes =
        List.of(
            new ObjectChange(
                ObjectChange.Kind.WRITTEN, ObjectName.of("config", "eu/web"), new Version(5)),
            new ObjectChange(
                ObjectChange.Kind.DELETED, ObjectName.of("c", "~\"'"), new Version(6)));
    List<String> texts = here.texts(ObjectChanges.KIND, changes);
    assertThat(texts).hasSize(1);
    ChangeLines.Changes read = (ChangeLines.Changes) there.read(texts.getFirst());
    assertThat(read.of(ObjectChanges.KIND)).isEqualTo(changes);
    assertThat(read.of(LeaseChanges.KIND)).isEmpty();
    assertThat(there.read("somebody\nWRITTEN 5 config")).isEqualTo(new ChangeLines.Reset());
  }

  @Test
  void a_change_of_an_unknown_kind_is_a_reset() {
    List<String> texts = here.texts(LeaseChanges.KIND, List.of(change(1)));
    ChangeLines ofObjects = new ChangeLines().with(ObjectChanges.KIND);
    assertThat(ofObjects.read(texts.getFirst())).isEqualTo(new ChangeLines.Reset());
  }
}
