package dev.leasehold.testkit.history;

import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.history.HistoryRecorder.OpenCall;
import dev.leasehold.testkit.model.ForwardingStore;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store that writes down what clients ask of it and what they are told. */
public final class RecordingStore extends ForwardingStore {
  private static final OpenCall NOT_RECORDED = result -> {};

  private final HistoryRecorder recorder;

  public RecordingStore(LeaseStore store, HistoryRecorder recorder) {
    super(store);
    this.recorder = recorder;
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    List<OpenCall> calls =
        batch.stream().map(c -> Ask.of(c).map(recorder::call).orElse(NOT_RECORDED)).toList();
    CompletionStage<List<Outcome>> answers;
    try {
      answers = super.apply(batch);
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
    return super.advance(advance)
        .whenComplete(
            (outcome, failure) -> {
              if (outcome instanceof Advance.Advanced advanced) {
                recorder.saw(
                    new Fault.IncarnationAdvanced(recorder.nanos(), advanced.incarnation()));
              }
            });
  }
}
