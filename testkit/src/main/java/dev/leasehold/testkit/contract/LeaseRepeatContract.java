package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.suite.RepeatContract;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** I8: each command that has a request id, sent again. */
abstract class LeaseRepeatContract extends RepeatContract<StoreUnderTest, Command, Outcome> {
  private int keys;

  @Override
  protected Map<String, Supplier<Command>> verbs() {
    return Map.of(
        "acquire", () -> acquire(newKey()),
        "abandon", this::abandon,
        "release", this::release,
        "hand over", this::handOver,
        "revoke", () -> revoke(newKey(), Reopening.NOW),
        "reopen", this::reopen);
  }

  private LeaseKey newKey() {
    return LeaseKey.of("repeated", Integer.toString(keys++));
  }

  private Command.Acquire acquire(LeaseKey key) {
    return Command.Acquire.of(key, ANN, request(), ContractCallers.terms(ANN));
  }

  private Outcome done(Command command) {
    return answer(under.store().apply(List.of(command))).getFirst();
  }

  private Token granted(Command.Acquire acquire) {
    return ((Outcome.Granted) done(acquire)).grant().token();
  }

  private Command abandon() {
    Command.Acquire acquire = acquire(newKey());
    granted(acquire);
    return new Command.Abandon(acquire.key(), ANN, acquire.requestId());
  }

  private Command release() {
    LeaseKey key = newKey();
    return new Command.Release(key, granted(acquire(key)), ANN, request());
  }

  private Command handOver() {
    LeaseKey key = newKey();
    Command.Heir heir = new Command.Heir(ContractCallers.nameOf(BOB), BOB.id());
    return new Command.HandOver(key, granted(acquire(key)), ANN, request(), heir);
  }

  private Command revoke(LeaseKey key, Reopening reopening) {
    granted(acquire(key));
    return new Command.Revoke(
        key, ContractCallers.OPERATOR, ContractCallers.WHY, reopening, request());
  }

  private Command reopen() {
    LeaseKey key = newKey();
    done(revoke(key, Reopening.BY_OPERATOR));
    return new Command.Reopen(key, ContractCallers.OPERATOR, request());
  }

  @Override
  protected CompletionStage<List<Outcome>> send(Handle handle, List<Command> batch) {
    LeaseStore store = handle == Handle.FIRST ? under.store() : under.another();
    return store.apply(batch);
  }

  @Override
  protected Object stateOf(Command command) {
    return answer(under.store().read(command.key()));
  }

  @Override
  protected boolean isFailed(Outcome outcome) {
    return outcome instanceof Outcome.Failed;
  }
}
