package dev.leasehold.kernel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.batches.Wire;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Records what is sent, and answers when and what the test says. */
final class ScriptedWire implements Wire<Command, Outcome> {
  private final ManualEnvironment manual;
  private final List<Sent> sent = new ArrayList<>();
  private int taken;
  private Duration sendingTakes = Duration.ZERO;

  ScriptedWire(ManualEnvironment manual) {
    this.manual = manual;
  }

  @Override
  public void send(List<Command> batch, Reply<Outcome> reply) {
    sent.add(new Sent(manual, batch, reply, manual.nowNanos()));
    manual.pause(sendingTakes);
  }

  /** From now on the sender is suspended for this time before a send returns. */
  void sendingTakes(Duration time) {
    sendingTakes = time;
  }

  /** How many batches were sent altogether. */
  int count() {
    return sent.size();
  }

  /** The next batch that no test has looked at. */
  Sent next() {
    assertThat(sent.size()).as("a batch was sent").isGreaterThan(taken);
    return sent.get(taken++);
  }

  /** The last batch; all before count as looked at. */
  Sent last() {
    taken = sent.size();
    return sent.getLast();
  }

  boolean isQuiet() {
    return taken == sent.size();
  }

  /** One batch in flight. */
  record Sent(ManualEnvironment manual, List<Command> batch, Reply<Outcome> reply, long atNanos) {
    void answer(Outcome... outcomes) {
      List<Outcome> list = Arrays.asList(outcomes);
      manual.event(() -> reply.answered(list));
    }

    /** The same for each command. */
    void answerAll(Outcome outcome) {
      manual.event(() -> reply.answered(Collections.nCopies(batch.size(), outcome)));
    }

    void fail() {
      manual.event(() -> reply.failed("connection refused"));
    }

    Command only() {
      assertThat(batch).hasSize(1);
      return batch.getFirst();
    }

    List<String> verbs() {
      return batch.stream().map(command -> command.getClass().getSimpleName()).toList();
    }

    List<LeaseKey> keys() {
      return batch.stream().map(Command::key).toList();
    }
  }

  /** The answer of a store that grants this acquire. */
  static Outcome.Granted granted(Command command, Token token, long remainingMillis) {
    Command.Acquire acquire = (Command.Acquire) command;
    Grant grant =
        new Grant(
            token,
            acquire.instance().id(),
            acquire.requestId(),
            acquire.terms(),
            0,
            0,
            acquire.terms().ttlMillis(),
            Progress.startingAt(0),
            Standing.OPEN);
    return new Outcome.Granted(grant, remainingMillis);
  }
}
