package dev.leasehold.store.jdbc.ledger;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a store has to say for the audit, on a ledger that answers when the test says so. */
class ReportsTest {
  private static final LedgerEntry FIRST = refusal();
  private static final LedgerEntry SECOND = refusal();

  private final List<List<LedgerEntry>> batches = new ArrayList<>();
  private final List<CompletableFuture<Void>> answers = new ArrayList<>();
  private boolean answersAtOnce;
  private final Reports reports =
      new Reports(
          new Ledger() {
            @Override
            public CompletionStage<Void> write(List<LedgerEntry> entries) {
              batches.add(entries);
              CompletableFuture<Void> answer = new CompletableFuture<>();
              answers.add(answer);
              if (answersAtOnce) {
                answer.complete(null);
              }
              return answer;
            }

            @Override
            public CompletionStage<LedgerReading> read() {
              return CompletableFuture.failedFuture(new IllegalStateException("nobody asks"));
            }
          });

  private static LedgerEntry refusal() {
    Token token = new Token(7);
    return new LedgerEntry.Refused(
        RequestId.random(),
        "orders",
        Claim.of(new LeaseKey("lock/a"), token),
        new Admission.Stale(token),
        false);
  }

  private void fail(int number) {
    answers.get(number).completeExceptionally(new IllegalStateException("on purpose"));
  }

  @Test
  void what_comes_during_a_write_goes_with_the_next() {
    reports.add(FIRST);
    reports.add(SECOND);
    assertThat(batches).containsExactly(List.of(FIRST));
    answers.getFirst().complete(null);
    assertThat(batches).containsExactly(List.of(FIRST), List.of(SECOND));
  }

  @Test
  void a_report_that_has_failed_is_written_when_a_caller_asks_for_it() {
    reports.add(FIRST);
    fail(0);
    assertThat(batches).hasSize(1);
    CompletableFuture<Boolean> again = reports.write();
    assertThat(batches).containsExactly(List.of(FIRST), List.of(FIRST));
    answers.getLast().complete(null);
    assertThat(again).isCompletedWithValue(true);
    assertThat(reports.write()).isDone();
    assertThat(batches).hasSize(2);
  }

  @Test
  void at_the_end_what_waits_is_tried_once_more() {
    reports.add(FIRST);
    fail(0);
    answersAtOnce = true;
    reports.close();
    assertThat(batches).containsExactly(List.of(FIRST), List.of(FIRST));
  }
}
