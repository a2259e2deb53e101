package dev.leasehold.store.jdbc.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.leases.LeaseChanges;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is sent to other processes, and what is not worth sending. */
class OutboxTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");

  private final ChangeLines there = new ChangeLines().with(LeaseChanges.KIND);
  private final BlockingQueue<List<String>> sent = new LinkedBlockingQueue<>();
  private final Semaphore mayPost = new Semaphore(0);
  private final Outbox outbox = new Outbox(new AnyConnection(), new ChangeLines(), this::post);

  /** Nothing that is posted here is sent, so any connection will do. */
  private static final class AnyConnection implements ConnectionSource {
    @Override
    public <T> T use(ConnectionWork<T> work) throws SQLException {
      try (StoreConnection connection =
          StoreConnection.onFile(
              DriverManager.getConnection("jdbc:sqlite::memory:"), Dialect.SQLITE)) {
        return work.run(connection);
      }
    }

    @Override
    public void close() {}
  }

  private void post(StoreConnection connection, List<String> texts) {
    sent.add(texts);
    mayPost.acquireUninterruptibly();
  }

  @AfterEach
  void close() {
    mayPost.release(1_000);
    outbox.close();
  }

  private static LeaseChange change(Kind kind, LeaseKey key, long token) {
    return new LeaseChange(kind, key, new Token(token));
  }

  private static LeaseChange released(int number) {
    return change(Kind.RELEASED, new LeaseKey("lock/" + number), 1);
  }

  private List<ChangeLines.Heard> nextHeard() throws InterruptedException {
    List<String> texts = sent.poll(60, TimeUnit.SECONDS);
    assertThat(texts).as("something is sent").isNotNull();
    return texts.stream().map(there::read).toList();
  }

  private static ChangeLines.Heard heard(LeaseChange... changes) {
    return new ChangeLines.Changes(
        Stream.of(changes)
            .<ChangeLines.Change<?>>map(
                change -> new ChangeLines.Change<>(LeaseChanges.KIND, change))
            .toList());
  }

  @Test
  void what_comes_up_while_a_statement_is_on_its_way_goes_out_with_the_next()
      throws InterruptedException {
    outbox.send(LeaseChanges.KIND, List.of(released(1)));
    assertThat(nextHeard()).containsExactly(heard(released(1)));
    outbox.send(LeaseChanges.KIND, List.of(released(2)));
    outbox.send(LeaseChanges.KIND, List.of(released(3)));
    mayPost.release();
    assertThat(nextHeard()).containsExactly(heard(released(2), released(3)));
  }

  @Test
  void when_too_much_is_pending_the_others_are_told_to_read_again() throws InterruptedException {
    outbox.send(LeaseChanges.KIND, List.of(released(1)));
    assertThat(nextHeard()).containsExactly(heard(released(1)));
    outbox.send(
        LeaseChanges.KIND,
        IntStream.range(0, Outbox.MAX_PENDING).mapToObj(OutboxTest::released).toList());
    outbox.send(LeaseChanges.KIND, List.of(released(1)));
    outbox.send(LeaseChanges.KIND, List.of(released(2)));
    mayPost.release();
    assertThat(nextHeard())
        .as("what came after that is told as well")
        .containsExactly(new ChangeLines.Reset(), heard(released(2)));
  }

  @Test
  void a_grant_is_told_even_if_nothing_follows_it() throws InterruptedException {
    LeaseChange granted = change(Kind.GRANTED, KEY, 1);
    outbox.send(LeaseChanges.KIND, List.of(granted));
    assertThat(nextHeard()).containsExactly(heard(granted));
  }

  @Test
  void what_is_pending_is_sent_when_it_is_closed() throws InterruptedException {
    LeaseChange granted = change(Kind.GRANTED, KEY, 1);
    mayPost.release();
    outbox.send(LeaseChanges.KIND, List.of(granted));
    outbox.close();
    assertThat(nextHeard()).containsExactly(heard(granted));
  }

  @Test
  void a_failed_statement_does_not_keep_later_ones_from_being_sent() throws InterruptedException {
    Outbox failing =
        new Outbox(
            new AnyConnection(),
            new ChangeLines(),
            (connection, texts) -> {
              sent.add(texts);
              throw new SQLException("away");
            });
    try (failing) {
      for (int i = 0; i < 3; i++) {
        failing.send(LeaseChanges.KIND, List.of(released(i)));
        assertThat(nextHeard()).containsExactly(heard(released(i)));
      }
    }
  }

  @Test
  void what_came_before_a_grant_of_the_same_key_is_no_news() {
    LeaseKey other = new LeaseKey("lock/other");
    LeaseChange otherReleased = change(Kind.RELEASED, other, 1);
    assertThat(
            LeaseChanges.KIND.news(
                List.of(
                    change(Kind.RELEASED, KEY, 1),
                    otherReleased,
                    change(Kind.GRANTED, KEY, 2),
                    change(Kind.RELEASED, KEY, 2),
                    change(Kind.GRANTED, KEY, 3))))
        .containsExactly(otherReleased, change(Kind.GRANTED, KEY, 3));
  }

  /** The heir asks when it hears that the giver was followed, and not when it hears of a grant. */
  @Test
  void that_another_grant_followed_is_news_even_with_that_grant() {
    LeaseChange followed = change(Kind.SUPERSEDED, KEY, 1);
    LeaseChange granted = change(Kind.GRANTED, KEY, 2);
    assertThat(LeaseChanges.KIND.news(List.of(change(Kind.GRANTED, KEY, 1), followed, granted)))
        .containsExactly(followed, granted);
  }

  @Test
  void the_end_of_a_grant_is_news_even_if_it_is_told_of_before_the_grant() {
    List<LeaseChange> changes = List.of(change(Kind.REVOKED, KEY, 2), change(Kind.GRANTED, KEY, 2));
    assertThat(LeaseChanges.KIND.news(changes)).isEqualTo(changes);
    List<LeaseChange> inOrder =
        List.of(change(Kind.GRANTED, KEY, 2), change(Kind.RELEASED, KEY, 2));
    assertThat(LeaseChanges.KIND.news(inOrder)).isEqualTo(inOrder);
  }
}
