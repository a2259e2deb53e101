package dev.leasehold.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.suite.FencedGroup;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** One part of the contract, with words for what its tests do. */
abstract class ObjectsGroup extends FencedGroup<ObjectsUnderTest> {
  static final ObjectName NAME = ObjectName.of("sandbox", "eu/one");
  static final ObjectName OTHER = ObjectName.of("sandbox", "eu/two");

  ObjectStore objects() {
    return under.objects();
  }

  static Payload text(String text) {
    return Payload.ofText(text);
  }

  ObjectCommand.Put put(String text, Expectation expected) {
    return new ObjectCommand.Put(NAME, text(text), expected, Optional.empty(), request());
  }

  ObjectCommand.Put put(String text) {
    return put(text, Expectation.ANYTHING);
  }

  ObjectCommand.Delete delete(Expectation expected) {
    return new ObjectCommand.Delete(NAME, expected, Optional.empty(), request());
  }

  ObjectCommand.Delete delete() {
    return delete(Expectation.ANYTHING);
  }

  static ObjectCommand.Put under(ObjectCommand.Put put, Claim claim) {
    return new ObjectCommand.Put(
        put.name(), put.payload(), put.expected(), Optional.of(claim), put.requestId());
  }

  static ObjectCommand.Delete under(ObjectCommand.Delete delete, Claim claim) {
    return new ObjectCommand.Delete(
        delete.name(), delete.expected(), Optional.of(claim), delete.requestId());
  }

  static ObjectCommand.Put named(ObjectCommand.Put put, ObjectName name) {
    return new ObjectCommand.Put(name, put.payload(), put.expected(), put.claim(), put.requestId());
  }

  ObjectOutcome apply(ObjectCommand command) {
    return applyAll(command).getFirst();
  }

  List<ObjectOutcome> applyAll(ObjectCommand... commands) {
    List<ObjectOutcome> outcomes = answer(objects().apply(Arrays.asList(commands)));
    assertThat(outcomes).hasSameSizeAs(commands);
    return outcomes;
  }

  Version written(ObjectCommand command) {
    ObjectOutcome outcome = apply(command);
    assertThat(outcome).isInstanceOf(ObjectOutcome.Written.class);
    return ((ObjectOutcome.Written) outcome).version();
  }

  Version deleted(ObjectCommand command) {
    ObjectOutcome outcome = apply(command);
    assertThat(outcome).isInstanceOf(ObjectOutcome.Deleted.class);
    return ((ObjectOutcome.Deleted) outcome).version();
  }

  Optional<VersionedObject> read(ObjectName name) {
    return answer(objects().read(List.of(name))).getFirst();
  }

  String content() {
    return read(NAME).map(found -> found.payload().text()).orElse("nothing");
  }

  int purge() {
    return answer(objects().purge(new PurgeQuery(0, 1_000))).purged();
  }
}
