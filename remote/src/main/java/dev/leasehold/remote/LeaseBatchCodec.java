package dev.leasehold.remote;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.remote.wire.Outcomes;
import java.util.ArrayList;
import java.util.List;

/** Commands on leases. */
final class LeaseBatchCodec implements BatchCodec<LeaseKey, Command, Outcome> {
  /** The largest command has a few KiB, and a body may have 32 MiB. */
  private static final int MAX_AT_ONCE = 1_000;

  static List<Outcome> apply(Servers servers, List<Command> batch) throws InterruptedException {
    BatchCall<LeaseKey, Command, Outcome> call = new BatchCall<>(servers, new LeaseBatchCodec());
    List<Outcome> outcomes = new ArrayList<>(batch.size());
    List<Command> piece = new ArrayList<>();
    for (Command command : batch) {
      if (isOfStores(command)) {
        outcomes.addAll(call.send(piece));
        piece.clear();
        outcomes.add(new Outcome.Rejected("only a store sends this command, and to itself"));
      } else {
        piece.add(command);
      }
      if (piece.size() == MAX_AT_ONCE) {
        outcomes.addAll(call.send(piece));
        piece.clear();
      }
    }
    outcomes.addAll(call.send(piece));
    return outcomes;
  }

  private static boolean isOfStores(Command command) {
    return command instanceof Command.EndStalled || command instanceof Command.Purge;
  }

  @Override
  public String path() {
    return "/v1/leases/batch?detail=record";
  }

  @Override
  public void write(JsonOut out, List<Command> commands) {
    Commands.writeBatch(out, commands);
  }

  @Override
  public List<Outcome> read(Members answer, int commands) {
    return Outcomes.readResults(answer, commands);
  }

  @Override
  public CommandKind<LeaseKey, Command, Outcome> kind() {
    return Command.KIND;
  }

  @Override
  public Outcome rejected(String why) {
    return new Outcome.Rejected(why);
  }

  @Override
  public boolean isNothingDone(Outcome outcome) {
    return outcome instanceof Outcome.Failed failed && failed.certainty() == Certainty.NOT_APPLIED;
  }
}
