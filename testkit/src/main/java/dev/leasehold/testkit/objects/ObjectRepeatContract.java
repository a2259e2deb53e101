package dev.leasehold.testkit.objects;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.testkit.suite.RepeatContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Each write of objects, sent again. */
abstract class ObjectRepeatContract
    extends RepeatContract<ObjectsUnderTest, ObjectCommand, ObjectOutcome> {
  private int names;

  @Override
  protected Map<String, Supplier<ObjectCommand>> verbs() {
    return Map.of(
        "create",
        () -> put(newName(), Expectation.ABSENCE),
        "replace",
        () -> put(written(), Expectation.ANYTHING),
        "delete",
        () ->
            new ObjectCommand.Delete(written(), Expectation.ANYTHING, Optional.empty(), request()));
  }

  private ObjectName newName() {
    return ObjectName.of("sandbox", "repeated-" + names++);
  }

  private ObjectCommand put(ObjectName name, Expectation expected) {
    return new ObjectCommand.Put(
        name, Payload.ofText("by " + names), expected, Optional.empty(), request());
  }

  private ObjectName written() {
    ObjectName name = newName();
    answer(under.objects().apply(List.of(put(name, Expectation.ABSENCE))));
    return name;
  }

  @Override
  protected CompletionStage<List<ObjectOutcome>> send(Handle handle, List<ObjectCommand> batch) {
    ObjectStore store = handle == Handle.FIRST ? under.objects() : under.others();
    return store.apply(batch);
  }

  @Override
  protected Object stateOf(ObjectCommand command) {
    return answer(under.objects().read(List.of(command.name())));
  }

  @Override
  protected boolean isFailed(ObjectOutcome outcome) {
    return outcome instanceof ObjectOutcome.Failed;
  }
}
