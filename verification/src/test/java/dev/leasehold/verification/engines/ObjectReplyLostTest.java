package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.verification.engines.LossyProxy.Fate;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The request or the reply of a write is lost or late: the write takes effect once, and its caller
 * is told so.
 */
class ObjectReplyLostTest {
  private static final ObjectName NAME = ObjectName.of("sandbox", "one");

  @TempDir Path folder;

  private PostgresNode node;
  private LossyProxy proxy;
  private JdbcStore leases;
  private ObjectStore objects;

  @BeforeEach
  void start() {
    node = PostgresNode.start(folder.resolve("postgres"));
    proxy = new LossyProxy(node.port());
    leases = JdbcStore.at(proxy.url()).migrate().open();
    objects = leases.objects();
  }

  @AfterEach
  void stop() {
    leases.close();
    proxy.close();
    node.close();
  }

  private static ObjectCommand put(String text, Expectation expected) {
    return new ObjectCommand.Put(
        NAME, Payload.ofText(text), expected, Optional.empty(), RequestId.random());
  }

  private static ObjectCommand delete() {
    return new ObjectCommand.Delete(
        NAME, Expectation.ANYTHING, Optional.empty(), RequestId.random());
  }

  private ObjectOutcome apply(ObjectCommand command) throws Exception {
    return objects
        .apply(List.of(command))
        .toCompletableFuture()
        .get(1, TimeUnit.MINUTES)
        .getFirst();
  }

  private ObjectOutcome struck(ObjectCommand command, Fate fate) throws Exception {
    proxy.strike(command.requestId().text(), fate, 1);
    ObjectOutcome outcome = apply(command);
    assertThat(proxy.relent()).isPositive();
    return outcome;
  }

  private Optional<VersionedObject> read() throws Exception {
    return objects.read(List.of(NAME)).toCompletableFuture().get(1, TimeUnit.MINUTES).getFirst();
  }

  private static Version versionOf(ObjectOutcome outcome) {
    return ((ObjectOutcome.Written) outcome).version();
  }

  @ParameterizedTest
  @EnumSource(Fate.class)
  void what_is_created_is_created_once(Fate fate) throws Exception {
    ObjectOutcome created = struck(put("a", Expectation.ABSENCE), fate);
    proxy.deliverLate();
    assertThat(created).isInstanceOf(ObjectOutcome.Created.class);
    assertThat(read().orElseThrow().version()).isEqualTo(versionOf(created));
  }

  @ParameterizedTest
  @EnumSource(Fate.class)
  void what_is_put_is_put_once(Fate fate) throws Exception {
    Version first = versionOf(apply(put("a", Expectation.ANYTHING)));
    ObjectOutcome replaced = struck(put("b", Expectation.ANYTHING), fate);
    proxy.deliverLate();
    assertThat(replaced).isEqualTo(new ObjectOutcome.Replaced(first.next(first.incarnation())));
    assertThat(read().orElseThrow().version()).isEqualTo(versionOf(replaced));
  }

  @ParameterizedTest
  @EnumSource(Fate.class)
  void what_is_compared_and_set_is_no_conflict_with_itself(Fate fate) throws Exception {
    Version first = versionOf(apply(put("a", Expectation.ANYTHING)));
    ObjectOutcome replaced = struck(put("b", Expectation.at(first)), fate);
    ObjectOutcome after = apply(put("c", Expectation.at(versionOf(replaced))));
    proxy.deliverLate();
    assertThat(after).isInstanceOf(ObjectOutcome.Replaced.class);
    assertThat(read().orElseThrow().payload().text()).isEqualTo("c");
  }

  @ParameterizedTest
  @EnumSource(Fate.class)
  void what_is_deleted_is_deleted_once(Fate fate) throws Exception {
    Version first = versionOf(apply(put("a", Expectation.ANYTHING)));
    ObjectOutcome deleted = struck(delete(), fate);
    assertThat(deleted).isEqualTo(new ObjectOutcome.Deleted(first.next(first.incarnation())));
    ObjectOutcome again = apply(put("b", Expectation.ABSENCE));
    proxy.deliverLate();
    assertThat(read().orElseThrow().version()).isEqualTo(versionOf(again));
  }

  /** There is nothing to delete yet, but the first copy of the request is still in flight. */
  @Test
  void that_nothing_was_there_is_not_said_while_the_deletion_may_still_come() throws Exception {
    ObjectOutcome outcome = struck(delete(), Fate.REQUEST_LATE);
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ObjectOutcome.Failed.class,
            failed -> assertThat(failed.certainty()).isEqualTo(Certainty.UNKNOWN));
  }
}
