package dev.leasehold.kernel.memory;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.key;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.now;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.token;
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
  private final MemoryStoreFixture fixture = new MemoryStoreFixture();
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
    fixture.store.watch("", notes);
    fixture.send(ANNA.acquire("r1"), ANNA.release(token(1), "r2"), ANNA.acquire("r3"));
    fixture.pass(TTL);
    fixture.send(ANNA.renew(token(2)), BEN.acquire("r4"));

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
    fixture.store.watch("lock/a", notes);
    fixture.grant(ANNA, key("a"));
    fixture.grant(ANNA, key("ab"));
    fixture.grant(ANNA, key("b"));
    fixture.grant(ANNA, new LeaseKey("shard/lock/a"));

    assertThat(notes.changes)
        .extracting(change -> change.key().text())
        .containsExactly("lock/a", "lock/ab");
  }

  @Test
  void aWatchThatWasClosedIsToldNothingMore() {
    fixture.store.watch("", notes).close();
    fixture.grant(ANNA, KEY);

    assertThat(notes.changes).isEmpty();
  }

  @Test
  void oneListenerCanWatchTwiceAndEndEachByItself() {
    Subscription first = fixture.store.watch("", notes);
    fixture.store.watch("", notes);
    first.close();
    first.close();
    fixture.grant(ANNA, KEY);

    assertThat(notes.changes).hasSize(1);
  }

  @Test
  void aListenerThatFailsIsLoggedAndCostsTheOthersNothing() {
    try (LogBook log = new LogBook()) {
      fixture.store.watch("lock/", new Failing());
      fixture.store.watch("", notes);

      assertThat(fixture.sendOne(ANNA.acquire("r1"))).isInstanceOf(Outcome.Granted.class);
      now(fixture.store.advance(Advance.above(500)));
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
    fixture.store.watch(
        "",
        new ChangeListener<LeaseChange>() {
          @Override
          public void changed(LeaseChange change) {
            if (change.kind() == Kind.RELEASED) {
              outcomes.add(fixture.sendOne(BEN.acquire("r3")));
            }
          }

          @Override
          public void reset() {}
        });
    fixture.grant(ANNA, KEY);
    fixture.sendOne(MemoryStoreFixture.release(ANNA, KEY, token(1)));

    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Granted.class);
  }

  @Test
  void refusalsAndRenewalsAreNotTold() {
    fixture.grant(ANNA, KEY);
    fixture.store.watch("", notes);
    fixture.send(ANNA.renew(token(1)), BEN.acquire("r2"), BEN.renew(token(1)));

    assertThat(notes.changes).isEmpty();
  }

  @Test
  void anAdvanceTellsEveryListenerToReadAgain() {
    fixture.store.watch("shard/", notes);
    now(fixture.store.advance(Advance.above(500)));

    assertThat(notes.resets).isEqualTo(1);
  }

  @Test
  void aRefusedAdvanceTellsNoListener() {
    fixture.store.watch("", notes);

    now(fixture.store.advance(Advance.above(Token.MAX_INCARNATION)));

    assertThat(notes.resets).isZero();
  }
}
