package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.Optional;

/** Writes of objects: their place is the object's name. */
final class ObjectCommandKind implements CommandKind<ObjectName, ObjectCommand, ObjectOutcome> {
  @Override
  public Optional<ObjectName> place(ObjectCommand command) {
    return Optional.of(command.name());
  }

  @Override
  public long bytes(ObjectCommand command) {
    return switch (command) {
      case ObjectCommand.Put put -> put.payload().size();
      case ObjectCommand.Delete delete -> 0;
    };
  }

  @Override
  public ObjectOutcome failed(Certainty certainty, String detail) {
    return new ObjectOutcome.Failed(certainty, detail);
  }

  @Override
  public ObjectOutcome rejected(String why) {
    return new ObjectOutcome.Rejected(why);
  }

  @Override
  public boolean isFinal(ObjectCommand command, ObjectOutcome outcome) {
    return outcome.isFinal(command.expected());
  }
}
