package dev.leasehold.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A sender that got no answer sends the same request again, and is told what the first one did; it
 * takes effect once.
 *
 * @param <C> a command
 * @param <O> its outcome, compared by {@code equals}
 */
public abstract class RepeatContract<U extends UnderTest, C, O> extends ContractGroup<U> {
  private static final int ROUNDS = 10;
  private static final int MAX_ATTEMPTS = 100;

  /** Which process sends. */
  protected enum Handle {
    FIRST,
    OTHER
  }

  /**
   * For each verb, by its name: prepares what the verb needs, and gives a command that takes effect
   * now. It is called several times in one store.
   */
  protected abstract Map<String, Supplier<C>> verbs();

  protected abstract CompletionStage<List<O>> send(Handle handle, List<C> batch);

  /** All that can be seen of what the command is about. */
  protected abstract Object stateOf(C command);

  /** Whether the command was not applied and is to be sent again, as any client would do. */
  protected abstract boolean isFailed(O outcome);

  private O sent(Handle handle, C command) {
    O outcome = answer(send(handle, List.of(command))).getFirst();
    for (int i = 1; i < MAX_ATTEMPTS && isFailed(outcome); i++) {
      outcome = answer(send(handle, List.of(command))).getFirst();
    }
    return outcome;
  }

  @Test
  void a_repeat_by_either_handle_is_told_the_same_and_changes_nothing() {
    verbs()
        .forEach(
            (verb, prepared) -> {
              C command = prepared.get();
              Object before = stateOf(command);
              O first = sent(Handle.FIRST, command);
              Object after = stateOf(command);
              assertThat(after).as("%s takes effect: %s", verb, first).isNotEqualTo(before);
              for (Handle handle : Handle.values()) {
                assertThat(sent(handle, command)).as("%s repeated", verb).isEqualTo(first);
                assertThat(stateOf(command)).as("after %s repeated", verb).isEqualTo(after);
              }
            });
  }

  @Test
  void a_repeat_in_the_same_batch_is_told_the_same() {
    verbs()
        .forEach(
            (verb, prepared) -> {
              C command = prepared.get();
              List<O> told = answer(send(Handle.FIRST, List.of(command, command)));
              Object after = stateOf(command);
              assertThat(told.getLast()).as("%s repeated", verb).isEqualTo(told.getFirst());
              assertThat(sent(Handle.OTHER, command))
                  .as("%s alone", verb)
                  .isEqualTo(told.getLast());
              assertThat(stateOf(command)).as("after %s repeated", verb).isEqualTo(after);
            });
  }

  @Test
  @Tag("concurrency")
  void a_request_that_both_handles_send_at_once_acts_once() {
    for (int round = 0; round < ROUNDS; round++) {
      verbs()
          .forEach(
              (verb, prepared) -> {
                C command = prepared.get();
                List<O> told =
                    Rounds.together(
                        List.of(
                            () -> sent(Handle.FIRST, command), () -> sent(Handle.OTHER, command)));
                Object after = stateOf(command);
                assertThat(told)
                    .as("both answers to %s", verb)
                    .containsOnly(sent(Handle.FIRST, command));
                assertThat(stateOf(command)).as("after %s", verb).isEqualTo(after);
              });
    }
  }
}
