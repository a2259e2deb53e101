package dev.leasehold.remote;

import dev.leasehold.blocks.objects.Expectation;
import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.blocks.objects.Version;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.remote.wire.ObjectCommands;
import dev.leasehold.remote.wire.ObjectOutcomes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes of objects. */
final class ObjectFreight implements Freight<ObjectCommand, ObjectOutcome> {
  private static final int MAX_AT_ONCE = 1_000;

  /** In base 64 it is a third more, and a body may have 32 MiB. */
  private static final long MAX_BYTES_AT_ONCE = 16L << 20;

  static List<ObjectOutcome> apply(Servers servers, List<ObjectCommand> batch)
      throws InterruptedException {
    BatchCall<ObjectCommand, ObjectOutcome> call = new BatchCall<>(servers, new ObjectFreight());
    List<ObjectOutcome> outcomes = new ArrayList<>(batch.size());
    List<ObjectCommand> piece = new ArrayList<>();
    long bytes = 0;
    for (ObjectCommand command : batch) {
      long more = command instanceof ObjectCommand.Put put ? put.payload().size() : 0;
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
  public ObjectOutcome failed(Certainty certainty, String why) {
    return new ObjectOutcome.Failed(certainty, why);
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

  /**
   * Changes are remembered. What changed nothing may be decided otherwise when it arrives again.
   */
  @Override
  public boolean isLastWord(ObjectCommand command, ObjectOutcome outcome) {
    return switch (outcome) {
      case ObjectOutcome.Written written -> true;
      case ObjectOutcome.Deleted deleted -> true;
      case ObjectOutcome.Conflict(Optional<Version> current) -> isPast(command.expected(), current);
      case ObjectOutcome.Absent absent -> false;
      case ObjectOutcome.Refused refused -> false;
      case ObjectOutcome.Bound bound -> false;
      case ObjectOutcome.Rejected rejected -> false;
      case ObjectOutcome.Failed failed -> false;
    };
  }

  /** No object is at the same version twice. */
  private static boolean isPast(Expectation expected, Optional<Version> current) {
    return expected instanceof Expectation.At(Version version)
        && current.filter(found -> found.isAbove(version)).isPresent();
  }
}
