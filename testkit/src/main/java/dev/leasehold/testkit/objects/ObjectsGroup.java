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
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.suite.ContractGroup;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** One part of the contract, with words for what its tests do. */
abstract class ObjectsGroup extends ContractGroup<ObjectsUnderTest> {
  static final ObjectName NAME = ObjectName.of("sandbox", "eu/one");
  static final ObjectName OTHER = ObjectName.of("sandbox", "eu/two");
  static final LeaseKey KEY = new LeaseKey("leader/sandboxes");
  static final LeaseKey OTHER_KEY = new LeaseKey("leader/other");
  static final Instance ANN = Instance.of("a".repeat(32));
  static final Instance BOB = Instance.of("b".repeat(32));
  static final Operator OLGA = new Operator("olga");
  static final Duration TTL = Duration.ofSeconds(10);

  ObjectStore objects() {
    return under.objects();
  }

  LeaseStore leases() {
    return under.leases().store();
  }

  Duration memory() {
    return Duration.ofMillis(leases().limits().memoryMillis());
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

  Claim acquired(LeaseKey key, Instance instance) {
    Outcome outcome = acquire(key, instance);
    assertThat(outcome).isInstanceOf(Outcome.Granted.class);
    return Claim.of(key, ((Outcome.Granted) outcome).grant().token());
  }

  Outcome acquire(LeaseKey key, Instance instance) {
    return lease(Command.Acquire.of(key, instance, request(), Terms.of("somebody", TTL)));
  }

  Outcome lease(Command command) {
    return answer(leases().apply(List.of(command))).getFirst();
  }

  void release(Claim claim, Instance instance) {
    assertThat(lease(new Command.Release(claim.key(), claim.token(), instance, request())))
        .isInstanceOf(Outcome.Released.class);
  }

  /** After the first has expired. */
  Claim takenOver(LeaseKey key) {
    pass(TTL.plusMillis(1));
    return acquired(key, BOB);
  }

  static Claim above(Claim claim) {
    return Claim.of(claim.key(), new Token(claim.token().value() + 1));
  }
}
