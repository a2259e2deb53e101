package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What happens to refusals while the ledger is busy with others, or fails. */
class RefusalLogTest {
  private final SlowLedger ledger = new SlowLedger();
  private final RefusalLog log = new RefusalLog(ledger);

  /** Answers when the test tells it to. */
  private static final class SlowLedger implements Ledger {
    private final List<List<LedgerEntry>> asked = new ArrayList<>();
    private Optional<CompletableFuture<Void>> answer = Optional.of(new CompletableFuture<>());

    @Override
    public CompletionStage<Void> write(List<LedgerEntry> entries) {
      asked.add(entries);
      return answer.orElseThrow(() -> new IllegalStateException("closed"));
    }

    @Override
    public CompletionStage<LedgerReading> read() {
      throw new AssertionError("no test reads here");
    }
  }

  private static LedgerEntry.Refused refusal(int number) {
    Claim claim = new Claim(new LeaseKey("lock/" + number), Token.of(1, 1), "h");
    return new LedgerEntry.Refused(
        RequestId.random(), "table", claim, new Admission.Stale(Token.of(1, 2)), false);
  }

  @Test
  void whatComesWhileOneIsWrittenIsWrittenNext() {
    CompletionStage<Boolean> first = log.write(refusal(0));
    CompletionStage<Boolean> second = log.write(refusal(1));
    CompletionStage<Boolean> third = log.write(refusal(2));
    assertThat(ledger.asked).hasSize(1);
    CompletableFuture<Void> before = ledger.answer.orElseThrow();
    ledger.answer = Optional.of(new CompletableFuture<>());
    before.complete(null);
    assertThat(first).isCompletedWithValue(true);
    assertThat(ledger.asked).extracting(List::size).containsExactly(1, 2);
    assertThat(second).isNotDone();
    ledger.answer.orElseThrow().complete(null);
    assertThat(second).isCompletedWithValue(true);
    assertThat(third).isCompletedWithValue(true);
  }

  @Test
  void aFloodIsWrittenInBatchesUpToWhatIsKept() {
    for (int i = 0; i <= RefusalLog.MOST_WAITING; i++) {
      assertThat(log.write(refusal(i))).isNotDone();
    }
    assertThat(log.write(refusal(-1))).isCompletedWithValue(false);
    ledger.answer.orElseThrow().complete(null);
    assertThat(ledger.asked)
        .hasSize(1 + RefusalLog.MOST_WAITING / RefusalLog.MOST_AT_ONCE)
        .allMatch(entries -> entries.size() <= RefusalLog.MOST_AT_ONCE);
    assertThat(log.write(refusal(-2))).isCompletedWithValue(true);
  }

  @Test
  void aLedgerThatThrowsIsAskedAgain() {
    CompletableFuture<Void> works = ledger.answer.orElseThrow();
    works.complete(null);
    ledger.answer = Optional.empty();
    assertThat(log.write(refusal(0))).isCompletedWithValue(false);
    ledger.answer = Optional.of(works);
    assertThat(log.write(refusal(1))).isCompletedWithValue(true);
  }

  @Test
  void soIsOneThatFails() {
    CompletionStage<Boolean> first = log.write(refusal(0));
    CompletableFuture<Void> before = ledger.answer.orElseThrow();
    ledger.answer = Optional.of(CompletableFuture.completedFuture(null));
    before.completeExceptionally(new IllegalStateException("away"));
    assertThat(first).isCompletedWithValue(false);
    assertThat(log.write(refusal(1))).isCompletedWithValue(true);
  }
}
