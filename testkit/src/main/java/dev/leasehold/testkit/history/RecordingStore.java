package dev.leasehold.testkit.history;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import dev.leasehold.testkit.history.HistoryRecorder.OpenCall;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store that writes down what clients ask of it and what they are told. */
public final class RecordingStore implements LeaseStore {
  private static final OpenCall NOT_RECORDED = result -> {};

  private final LeaseStore store;
  private final HistoryRecorder recorder;

  public RecordingStore(LeaseStore store, HistoryRecorder recorder) {
    this.store = store;
    this.recorder = recorder;
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    List<OpenCall> calls =
        batch.stream().map(c -> Ask.of(c).map(recorder::call).orElse(NOT_RECORDED)).toList();
    CompletionStage<List<Outcome>> answers;
    try {
      answers = store.apply(batch);
    } catch (RuntimeException | Error e) {
      allUnknown(calls, e);
      throw e;
    }
    // The stage that is handed on completes after the answer is written down, so that nothing is
    // done with an answer that the history does not have.
    return answers.whenComplete((outcomes, failure) -> returned(calls, outcomes, failure));
  }

  private static void returned(
      List<OpenCall> calls, @Nullable List<Outcome> outcomes, @Nullable Throwable failure) {
    if (outcomes == null) {
      allUnknown(calls, failure == null ? new IllegalStateException("no answer") : failure);
      return;
    }
    for (int i = 0; i < calls.size(); i++) {
      calls.get(i).returned(Result.of(outcomes.get(i)));
    }
  }

  private static void allUnknown(List<OpenCall> calls, Throwable failure) {
    Result unknown = new Result.Unknown(failure.toString());
    calls.forEach(call -> call.returned(unknown));
  }

  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    return store
        .advance(advance)
        .whenComplete(
            (outcome, failure) -> {
              if (outcome instanceof Advance.Advanced advanced) {
                recorder.saw(
                    new Fault.IncarnationAdvanced(recorder.nanos(), advanced.incarnation()));
              }
            });
  }

  @Override
  public CompletionStage<Optional<LeaseReading>> read(LeaseKey key) {
    return store.read(key);
  }

  @Override
  public CompletionStage<LeasePage> list(ListQuery query) {
    return store.list(query);
  }

  @Override
  public Subscription watch(String prefix, ChangeListener listener) {
    return store.watch(prefix, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return store.purge(query);
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    return store.suspectedRollbacks();
  }

  @Override
  public Limits limits() {
    return store.limits();
  }

  @Override
  public void close() {
    store.close();
  }
}
