package dev.leasehold.remote;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.remote.wire.ObjectCommands;
import dev.leasehold.remote.wire.ObjectOutcomes;
import java.util.ArrayList;
import java.util.List;

/** Writes of objects. */
final class ObjectBatchCodec implements BatchCodec<ObjectName, ObjectCommand, ObjectOutcome> {
  private static final int MAX_AT_ONCE = 1_000;

  /** Base 64 adds a third, and a body may have 32 MiB. */
  private static final long MAX_BYTES_AT_ONCE = 16L << 20;

  static List<ObjectOutcome> apply(Servers servers, List<ObjectCommand> batch)
      throws InterruptedException {
    BatchCall<ObjectName, ObjectCommand, ObjectOutcome> call =
        new BatchCall<>(servers, new ObjectBatchCodec());
    List<ObjectOutcome> outcomes = new ArrayList<>(batch.size());
    List<ObjectCommand> piece = new ArrayList<>();
    long bytes = 0;
    for (ObjectCommand command : batch) {
      long more = ObjectCommand.KIND.bytes(command);
      if (piece.size() == MAX_AT_ONCE || bytes + more > MAX_BYTES_AT_ONCE) {
        outcomes.addAll(call.send(piece));
        piece.clear();
        bytes = 0;
      }
      piece.add(command);
      bytes += more;
    }
    outcomes.addAll(call.send(piece));
    return outcomes;
  }

  @Override
  public String path() {
    return "/v1/objects/batch";
  }

  @Override
  public void write(JsonOut out, List<ObjectCommand> commands) {
    ObjectCommands.writeBatch(out, commands);
  }

  @Override
  public List<ObjectOutcome> read(Members answer, int commands) {
    return ObjectOutcomes.readResults(answer, commands);
  }

  @Override
  public CommandKind<ObjectName, ObjectCommand, ObjectOutcome> kind() {
    return ObjectCommand.KIND;
  }

  @Override
  public ObjectOutcome rejected(String why) {
    return new ObjectOutcome.Rejected(why);
  }

  @Override
  public boolean isNothingDone(ObjectOutcome outcome) {
    return outcome instanceof ObjectOutcome.Failed failed
        && failed.certainty() == Certainty.NOT_APPLIED;
  }
}
