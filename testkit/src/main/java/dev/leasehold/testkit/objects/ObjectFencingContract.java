package dev.leasehold.testkit.objects;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.fence.Claim;
import dev.leasehold.testkit.suite.FencingContract;
import java.util.List;
import java.util.Optional;

/** I5: each write of objects, under claims. */
abstract class ObjectFencingContract
    extends FencingContract<ObjectsUnderTest, ObjectCommand, ObjectOutcome> {
  @Override
  protected List<ObjectCommand> verbsUnder(Claim claim) {
    Optional<Claim> under = Optional.of(claim);
    return List.of(
        new ObjectCommand.Put(
            ObjectsGroup.NAME, Payload.ofText("{}"), Expectation.ANYTHING, under, request()),
        new ObjectCommand.Delete(ObjectsGroup.NAME, Expectation.ANYTHING, under, request()));
  }

  @Override
  protected ObjectOutcome send(ObjectCommand command) {
    return answer(under.objects().apply(List.of(command))).getFirst();
  }

  @Override
  protected Object state() {
    return answer(under.objects().read(List.of(ObjectsGroup.NAME)));
  }
}
