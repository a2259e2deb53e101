package dev.leasehold.kernel.memory;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.memory.Bench.key;
import static dev.leasehold.kernel.memory.Bench.now;
import static dev.leasehold.kernel.memory.Bench.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.ChangeFeed;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Which listeners are told of which changes. */
class ChangeFeedTest {
  private final Bench bench = new Bench();
  private final Notes notes = new Notes();

  private static final class Notes implements ChangeListener<LeaseChange> {
    final List<LeaseChange> changes = new ArrayList<>();
    int resets;

    @Override
    public void changed(LeaseChange change) {
      changes.add(change);
    }

    @Override
    public void reset() {
      resets++;
    }
  }

  @Test
  void everyChangeIsToldInOrder() {
    bench.store.watch("", notes);
    bench.send(ANNA.acquire("r1"), ANNA.release(token(1), "r2"), ANNA.acquire("r3"));
    bench.pass(TTL);
    bench.send(ANNA.renew(token(2)), BEN.acquire("r4"));

    assertThat(notes.changes)
        .containsExactly(
            new LeaseChange(Kind.GRANTED, KEY, token(1)),
            new LeaseChange(Kind.RELEASED, KEY, token(1)),
            new LeaseChange(Kind.GRANTED, KEY, token(2)),
            new LeaseChange(Kind.EXPIRED, KEY, token(2)),
            new LeaseChange(Kind.SUPERSEDED, KEY, token(2)),
            new LeaseChange(Kind.GRANTED, KEY, token(3)));
  }

  @Test
  void onlyKeysThatStartWithThePrefixAreToldOf() {
    bench.store.watch("lock/a", notes);
    bench.grant(ANNA, key("a"));
    bench.grant(ANNA, key("ab"));
    bench.grant(ANNA, key("b"));
    bench.grant(ANNA, new LeaseKey("shard/lock/a"));

    assertThat(notes.changes)
        .extracting(change -> change.key().text())
        .containsExactly("lock/a", "lock/ab");
  }

  @Test
  void aWatchThatWasClosedIsToldNothingMore() {
    bench.store.watch("", notes).close();
    bench.grant(ANNA, KEY);

    assertThat(notes.changes).isEmpty();
  }

  @Test
  void oneListenerCanWatchTwiceAndEndEachByItself() {
    Subscription first = bench.store.watch("", notes);
    bench.store.watch("", notes);
    first.close();
    first.close();
    bench.grant(ANNA, KEY);

    assertThat(notes.changes).hasSize(1);
  }

  @Test
  void aListenerThatFailsIsLoggedAndCostsTheOthersNothing() {
    try (LogBook log = new LogBook()) {
      bench.store.watch("lock/", new Failing());
      bench.store.watch("", notes);

      assertThat(bench.sendOne(ANNA.acquire("r1"))).isInstanceOf(Outcome.Granted.class);
      now(bench.store.advance(Advance.above(500)));
      assertThat(notes.changes).hasSize(1);
      assertThat(notes.resets).isEqualTo(1);
      String failed = "a listener on changes of 'lock/' failed";
      assertThat(log.messages).containsExactly(failed, failed);
    }
  }

  /** Reads what the feed logs, and keeps it out of the build's output. */
  private static final class LogBook extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger(ChangeFeed.class.getName());
    final List<String> messages = new ArrayList<>();

    LogBook() {
      logger.setUseParentHandlers(false);
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
      messages.add(entry.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
      logger.setUseParentHandlers(true);
    }
  }

  private static final class Failing implements ChangeListener<LeaseChange> {
    @Override
    public void changed(LeaseChange change) {
      throw new IllegalStateException("told of " + change);
    }

    @Override
    public void reset() {
      throw new IllegalStateException("reset");
    }
  }

  @Test
  void aListenerMayAskTheStoreAgain() {
    List<Outcome> outcomes = new ArrayList<>();
    bench.store.watch(
        "",
        new ChangeListener<LeaseChange>() {
          @Override
          public void changed(LeaseChange change) {
            if (change.kind() == Kind.RELEASED) {
              outcomes.add(bench.sendOne(BEN.acquire("r3")));
            }
          }

          @Override
          public void reset() {}
        });
    bench.grant(ANNA, KEY);
    bench.sendOne(Bench.release(ANNA, KEY, token(1)));

    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Granted.class);
  }

  @Test
  void refusalsAndRenewalsAreNotTold() {
    bench.grant(ANNA, KEY);
    bench.store.watch("", notes);
    bench.send(ANNA.renew(token(1)), BEN.acquire("r2"), BEN.renew(token(1)));

    assertThat(notes.changes).isEmpty();
  }

  @Test
  void anAdvanceTellsEverybodyToReadAgain() {
    bench.store.watch("shard/", notes);
    now(bench.store.advance(Advance.above(500)));

    assertThat(notes.resets).isEqualTo(1);
  }

  @Test
  void aRefusedAdvanceTellsNobody() {
    bench.store.watch("", notes);

    now(bench.store.advance(Advance.above(Token.MAX_INCARNATION)));

    assertThat(notes.resets).isZero();
  }
}
