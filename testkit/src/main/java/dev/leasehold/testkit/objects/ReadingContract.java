package dev.leasehold.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.testkit.suite.ChangeRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Many at once, pages, and hints. */
abstract class ReadingContract extends ObjectsGroup {
  @Test
  void many_are_read_at_once_in_the_order_asked() {
    written(put("one"));
    written(named(put("two"), OTHER));
    ObjectName absent = ObjectName.of("sandbox", "never");
    List<Optional<VersionedObject>> found =
        answer(objects().read(List.of(OTHER, absent, NAME, OTHER)));
    assertThat(found).containsExactly(read(OTHER), Optional.empty(), read(NAME), read(OTHER));
    assertThat(found.getFirst()).isPresent();
    assertThat(answer(objects().read(List.of()))).isEmpty();
  }

  @Test
  void a_type_is_listed_in_pages_by_id_without_what_is_deleted() {
    List<String> ids = List.of("A", "a", "a/b", "b", "z");
    for (String id : ids.reversed()) {
      written(named(put(id), ObjectName.of("listed", id)));
    }
    written(named(put("x"), ObjectName.of("listed", "gone")));
    deleted(
        new ObjectCommand.Delete(
            ObjectName.of("listed", "gone"), Expectation.ANYTHING, Optional.empty(), request()));
    written(named(put("x"), ObjectName.of("listed2", "not")));
    written(named(put("x"), ObjectName.of("liste", "not")));
    List<String> found = new ArrayList<>();
    Optional<ObjectQuery> query = Optional.of(new ObjectQuery("listed", "", 2));
    int pages = 0;
    while (query.isPresent()) {
      ObjectPage page = answer(objects().list(query.get()));
      assertThat(page.items()).hasSizeLessThanOrEqualTo(2);
      page.items().forEach(item -> assertThat(read(item.name())).contains(item));
      page.items().forEach(item -> found.add(item.name().id()));
      query = page.next().map(query.get()::from);
      pages++;
    }
    assertThat(found).isEqualTo(ids);
    assertThat(pages).isEqualTo(3);
  }

  @Test
  void a_page_is_bounded_in_bytes_too() {
    Payload large = Payload.of(new byte[Payload.MAX_BYTES]);
    int count = ObjectQuery.MAX_PAGE_BYTES / Payload.MAX_BYTES + 2;
    for (int i = 0; i < count; i++) {
      written(
          new ObjectCommand.Put(
              ObjectName.of("large", "n" + i),
              large,
              Expectation.ANYTHING,
              Optional.empty(),
              request()));
    }
    ObjectPage first = answer(objects().list(ObjectQuery.all("large")));
    assertThat(first.items()).hasSize(count - 2);
    ObjectPage second =
        answer(objects().list(ObjectQuery.all("large").from(first.next().orElseThrow())));
    assertThat(second.items()).hasSize(2);
    assertThat(second.next()).isEmpty();
  }

  private void isTold(ObjectStore watched) {
    ChangeRecorder<ObjectChange> ear = new ChangeRecorder<>();
    try (Subscription watch = watched.watch("sandbox", ear)) {
      written(named(put("x"), ObjectName.of("other", "one")));
      Version version = written(put("one"));
      ear.awaitChange(new ObjectChange(ObjectChange.Kind.WRITTEN, NAME, version));
      Version deletion = deleted(delete());
      ear.awaitChange(new ObjectChange(ObjectChange.Kind.DELETED, NAME, deletion));
      assertThat(ear.told()).allMatch(change -> change.name().equals(NAME));
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void who_watches_a_type_is_told_of_writes_and_deletions() {
    isTold(objects());
  }

  @Test
  void so_is_who_watches_in_another_process() {
    isTold(under.others());
  }

  @Test
  void a_watch_that_has_ended_is_told_nothing_more() {
    ChangeRecorder<ObjectChange> ear = new ChangeRecorder<>();
    objects().watch("sandbox", ear).close();
    ChangeRecorder<ObjectChange> after = new ChangeRecorder<>();
    try (Subscription watch = objects().watch("sandbox", after)) {
      Version version = written(put("one"));
      after.awaitChange(new ObjectChange(ObjectChange.Kind.WRITTEN, NAME, version));
      assertThat(watch).isNotNull();
    }
    assertThat(ear.told()).isEmpty();
  }
}
