package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.ServeLock.Taking;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One process; several processes are in ServedFileTest. */
class ServeLockTest {
  private static final Instant SINCE = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instance DEAD = Instance.of("d".repeat(32));
  private static final Instance OTHER = Instance.of("e".repeat(32));

  @TempDir Path folder;
  private Path database = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void name() {
    database = folder.resolve("leases.db");
    file = folder.resolve("leases.db-serve.lock");
  }

  private JdbcStore open() {
    return JdbcStore.at("sqlite:" + database).migrate().open();
  }

  private ServeLock taken(String holder) {
    Taking taking = ServeLock.take(database, holder, SINCE);
    assertThat(taking).isInstanceOf(Taking.Taken.class);
    return ((Taking.Taken) taking).lock();
  }

  /** The file that a server leaves when it is killed while it holds leases under these ids. */
  private void die(InstanceId... ids) throws IOException {
    byte[] left;
    try (JdbcStore store = open();
        ServeLock lock = taken("dead")) {
      lock.revokeLeftovers(store);
      for (InstanceId id : ids) {
        lock.announce(id);
      }
      left = Files.readAllBytes(file);
    }
    Files.write(file, left);
  }

  private static Token grant(LeaseStore store, String key, Instance instance) {
    Command acquire =
        Command.Acquire.of(
            new LeaseKey(key),
            instance,
            RequestId.random(),
            Terms.of("somebody", Duration.ofHours(1)));
    return ((Outcome.Granted) TestCommands.outcome(store, acquire)).grant().token();
  }

  private static Outcome renewal(LeaseStore store, String key, Token token, Instance instance) {
    return TestCommands.outcome(store, Command.Renew.of(new LeaseKey(key), token, instance));
  }

  @Test
  void a_second_server_is_refused_by_a_sentence_that_names_the_first() {
    try (ServeLock lock = taken("api-1")) {
      assertThat(ServeLock.take(database, "api-2", SINCE))
          .isEqualTo(
              new Taking.Refused(
                  database
                      + " is being served by api-1 (process "
                      + ProcessHandle.current().pid()
                      + ", since 2026-03-01T12:00:00Z): one process at a time can serve a SQLite"
                      + " file"));
      assertThat(lock).isNotNull();
    }
    taken("api-2").close();
  }

  @Test
  void another_way_to_the_same_file_leads_to_the_same_lock() throws IOException {
    Files.createFile(database);
    Path link = Files.createSymbolicLink(folder.resolve("link.db"), database);
    try (ServeLock lock = taken("api-1")) {
      assertThat(ServeLock.take(link, "api-2", SINCE)).isInstanceOf(Taking.Refused.class);
      assertThat(lock).isNotNull();
    }
  }

  @Test
  void the_grants_of_the_dead_are_revoked_at_once_and_no_others() throws IOException {
    die(DEAD.id());
    try (JdbcStore store = open()) {
      Token dead = grant(store.leases(), "leader/serve", DEAD);
      Token other = grant(store.leases(), "lock/report", OTHER);
      try (ServeLock lock = taken("api-2")) {
        assertThat(lock.revokeLeftovers(store)).isEqualTo(1);
      }
      assertThat(renewal(store.leases(), "leader/serve", dead, DEAD))
          .isInstanceOfSatisfying(
              Outcome.Lost.class,
              lost ->
                  assertThat(lost.reason())
                      .isInstanceOfSatisfying(
                          LossReason.Revoked.class,
                          revoked -> assertThat(revoked.by()).isEqualTo("file-lock")));
      assertThat(grant(store.leases(), "leader/serve", OTHER).isAbove(dead)).isTrue();
      assertThat(renewal(store.leases(), "lock/report", other, OTHER))
          .isInstanceOf(Outcome.Renewed.class);
    }
  }

  /** The lease was the dead server's, and another grant has followed since. */
  @Test
  void a_key_that_another_holder_has_by_now_is_left_alone() throws IOException {
    die(DEAD.id());
    try (JdbcStore store = open()) {
      Token dead = grant(store.leases(), "leader/serve", DEAD);
      Command release =
          new Command.Release(new LeaseKey("leader/serve"), dead, DEAD, RequestId.random());
      assertThat(TestCommands.outcome(store.leases(), release))
          .isInstanceOf(Outcome.Released.class);
      Token next = grant(store.leases(), "leader/serve", OTHER);
      try (ServeLock lock = taken("api-2")) {
        assertThat(lock.revokeLeftovers(store)).isZero();
      }
      assertThat(renewal(store.leases(), "leader/serve", next, OTHER))
          .isInstanceOf(Outcome.Renewed.class);
    }
  }

  @Test
  void one_that_dies_before_it_has_revoked_leaves_that_to_the_next() throws IOException {
    die(DEAD.id());
    try (JdbcStore store = open()) {
      grant(store.leases(), "leader/serve", DEAD);
      byte[] left;
      try (ServeLock lock = taken("api-2")) {
        left = Files.readAllBytes(file);
        assertThat(lock).isNotNull();
      }
      Files.write(file, left);
      try (ServeLock lock = taken("api-3")) {
        assertThat(lock.revokeLeftovers(store)).isEqualTo(1);
      }
    }
  }

  @Test
  void one_that_closes_before_it_has_revoked_leaves_that_to_the_next_too() throws IOException {
    die(DEAD.id());
    try (JdbcStore store = open()) {
      grant(store.leases(), "leader/serve", DEAD);
      taken("api-2").close();
      try (ServeLock lock = taken("api-3")) {
        assertThat(lock.revokeLeftovers(store)).isEqualTo(1);
      }
    }
  }

  /** The process that wrote it died before the write returned, and so has acquired nothing. */
  @Test
  void a_torn_line_is_not_believed_and_does_not_spoil_the_next() throws IOException {
    die(OTHER.id());
    String torn = ServeLockLine.write(new ServeLockLine.HoldsAs(DEAD.id()));
    Files.writeString(file, torn.substring(0, torn.length() - 10), StandardOpenOption.APPEND);
    try (JdbcStore store = open()) {
      Token dead = grant(store.leases(), "lock/torn", DEAD);
      grant(store.leases(), "lock/whole", OTHER);
      try (ServeLock lock = taken("api-2")) {
        assertThat(ServeLockLine.lastServing(ServeLockLine.read(Files.readString(file))))
            .map(ServeLockLine.Serving::holder)
            .contains("api-2");
        assertThat(lock.revokeLeftovers(store)).isEqualTo(1);
      }
      assertThat(renewal(store.leases(), "lock/torn", dead, DEAD))
          .isInstanceOf(Outcome.Renewed.class);
    }
  }

  @Test
  void an_id_is_in_the_file_when_it_has_been_announced() throws IOException {
    try (JdbcStore store = open();
        ServeLock lock = taken("api-1")) {
      lock.revokeLeftovers(store);
      lock.announce(DEAD.id());
      lock.announce(OTHER.id());
      assertThat(ServeLockLine.instanceIds(ServeLockLine.read(Files.readString(file))))
          .containsExactly(DEAD.id(), OTHER.id());
    }
  }

  @Test
  void leftovers_are_revoked_once_and_what_was_announced_since_stays() throws IOException {
    try (JdbcStore store = open();
        ServeLock lock = taken("api-1")) {
      lock.revokeLeftovers(store);
      lock.announce(DEAD.id());
      assertThat(lock.revokeLeftovers(store)).isZero();
      assertThat(ServeLockLine.instanceIds(ServeLockLine.read(Files.readString(file))))
          .containsExactly(DEAD.id());
    }
  }

  /** Now the lock would be beside the link, and beside the database once that exists. */
  @Test
  void a_link_to_a_database_that_is_not_there_yet_is_refused() throws IOException {
    Path link = folder.resolve("link.db");
    Files.createSymbolicLink(link, folder.resolve("volume.db"));
    assertThatThrownBy(() -> ServeLock.take(link, "api-1", SINCE))
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContaining("link.db is a link to a file that is not there");
  }

  @Test
  void nothing_is_announced_before_the_leftovers_are_revoked() {
    try (ServeLock lock = taken("api-1")) {
      assertThatThrownBy(() -> lock.announce(DEAD.id())).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void a_clean_end_leaves_an_empty_file() throws IOException {
    try (JdbcStore store = open();
        ServeLock lock = taken("api-1")) {
      lock.revokeLeftovers(store);
      lock.announce(DEAD.id());
    }
    assertThat(Files.size(file)).isZero();
  }

  @Test
  void a_lock_that_was_given_up_is_of_no_use() {
    ServeLock lock = taken("api-1");
    lock.close();
    lock.close();
    assertThatThrownBy(() -> lock.announce(DEAD.id())).isInstanceOf(IllegalStateException.class);
  }
}
