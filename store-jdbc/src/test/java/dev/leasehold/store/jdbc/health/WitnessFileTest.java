package dev.leasehold.store.jdbc.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the witness file records, and how several processes share it. */
class WitnessFileTest {
  private static final LeaseKey A = new LeaseKey("lock/a");
  private static final LeaseKey B = new LeaseKey("lock/b");

  private static final InstanceId ME = Instance.random().id();

  @TempDir Path folder;

  private WitnessFile file() {
    return new WitnessFile(folder, "store-1");
  }

  private Path path() {
    return folder.resolve("witness").resolve("store-1");
  }

  private static Witnessed seen(int incarnation, long wal, Map<LeaseKey, Token> grants) {
    Map<LeaseKey, SeenGrant> seen = new LinkedHashMap<>();
    grants.forEach((key, token) -> seen.put(key, new SeenGrant(token, Optional.of(ME))));
    return new Witnessed(incarnation, at(wal), 0, seen, Optional.empty());
  }

  private Witnessed add(Witnessed seen) {
    Position compared = file().read().map(Witnessed::position).orElse(Position.NOTHING);
    return file().add(seen, compared);
  }

  private static Position at(long wal) {
    return new Position(wal, "sys", 1, Optional.empty(), Optional.empty());
  }

  private static Witnessed linked(int incarnation, Link newest, Link milestone) {
    Position position = new Position(1, "sys", 1, Optional.of(newest), Optional.of(milestone));
    return new Witnessed(incarnation, position, 0, Map.of(), Optional.empty());
  }

  @Test
  void a_file_that_is_not_there_has_seen_nothing() {
    assertThat(file().read()).isEmpty();
  }

  @Test
  void what_is_written_is_read_again() {
    Witnessed seen = seen(7, 1234, Map.of(A, new Token(5)));
    assertThat(add(seen)).isEqualTo(seen);
    assertThat(file().read()).contains(seen);
  }

  @Test
  void several_processes_keep_the_highest_of_all() {
    add(seen(7, 100, Map.of(A, new Token(5), B, new Token(9))));
    Witnessed all = add(seen(7, 90, Map.of(A, new Token(6), B, new Token(8))));
    assertThat(all).isEqualTo(seen(7, 100, Map.of(A, new Token(6), B, new Token(9))));
    assertThat(file().read()).contains(all);
  }

  @Test
  void after_an_advance_positions_begin_anew_even_if_the_former_incarnation_writes_last() {
    add(seen(7, 500, Map.of(A, new Token(5))));
    add(seen(8, 20, Map.of()));
    Witnessed late = add(seen(7, 510, Map.of(B, new Token(6))));
    assertThat(late).isEqualTo(seen(8, 20, Map.of(A, new Token(5), B, new Token(6))));
  }

  @Test
  void the_last_thousand_grants_are_kept() {
    for (int i = 0; i < 3; i++) {
      int from = i * 700;
      var grants =
          IntStream.range(from, from + 700)
              .boxed()
              .collect(
                  java.util.stream.Collectors.toMap(
                      n -> new LeaseKey("lock/" + n), n -> new Token(n + 1)));
      add(seen(1, 0, grants));
    }
    Witnessed all = file().read().orElseThrow();
    assertThat(all.grants()).hasSize(Witnessed.GRANTS_KEPT);
    assertThat(all.grants()).containsKey(new LeaseKey("lock/1400"));
    assertThat(all.grants()).doesNotContainKey(new LeaseKey("lock/0"));
  }

  @Test
  void a_file_of_the_first_version_is_read_and_written_as_the_second() throws IOException {
    Files.createDirectories(path().getParent());
    Files.writeString(
        path(),
        "leasehold witness 1\nincarnation 7\nwal 5\nsystem sys\ntimeline 1\ngrant 5 lock/a\nend\n");
    Map<LeaseKey, SeenGrant> grants = Map.of(A, new SeenGrant(new Token(5), Optional.empty()));
    Witnessed old = new Witnessed(7, at(5), 0, grants, Optional.empty());
    assertThat(file().read()).contains(old);
    Witnessed all = add(seen(7, 6, Map.of(A, new Token(5))));
    assertThat(all).isEqualTo(seen(7, 6, Map.of(A, new Token(5))));
    assertThat(file().read()).contains(all);
  }

  @Test
  void links_of_the_chain_are_kept_at_their_greatest_heights() {
    add(linked(7, new Link(300, "x300"), new Link(256, "x256")));
    add(linked(7, new Link(290, "x290"), new Link(256, "x256")));
    Witnessed all = add(linked(7, new Link(520, "x520"), new Link(512, "x512")));
    assertThat(all).isEqualTo(linked(7, new Link(520, "x520"), new Link(512, "x512")));
    assertThat(file().read()).contains(all);
    assertThat(add(linked(8, new Link(3, "y3"), new Link(0, "y0"))).position().newest())
        .contains(new Link(3, "y3"));
  }

  /** A higher link may belong to another history, which does not contain the link to be written. */
  @Test
  void a_link_that_the_writer_has_not_found_in_the_store_stays() {
    Witnessed written = linked(7, new Link(300, "x300"), new Link(256, "x256"));
    add(written);
    Witnessed other = linked(7, new Link(520, "y520"), new Link(512, "y512"));
    assertThat(file().add(other, Position.NOTHING)).isEqualTo(written);
    assertThat(file().add(other, written.position())).isEqualTo(other);
  }

  @Test
  void a_refusal_is_kept_until_the_incarnation_is_higher() {
    Refusal.LostWrites lost = new Refusal.LostWrites(7, "it has gone back (token 5)");
    add(seen(7, 1, Map.of()).refusedBy(lost));
    assertThat(add(seen(7, 100, Map.of())).refused()).contains(lost);
    assertThat(file().read().orElseThrow().refused()).contains(lost);
    assertThat(add(seen(8, 1, Map.of())).refused()).isEmpty();
    assertThat(add(seen(7, 200, Map.of()).refusedBy(lost)).refused()).isEmpty();
  }

  @Test
  void the_longest_ttl_of_an_incarnation_is_kept() {
    Witnessed before = new Witnessed(7, at(1), 90_000, Map.of(), Optional.empty());
    add(before);
    assertThat(add(seen(7, 1, Map.of())).longestTtlMillis()).isEqualTo(90_000);
    assertThat(file().read().orElseThrow().longestTtlMillis()).isEqualTo(90_000);
    assertThat(add(seen(8, 1, Map.of())).longestTtlMillis()).isZero();
  }

  @Test
  void a_file_that_is_cut_short_or_garbled_is_refused() throws IOException {
    add(seen(7, 1, Map.of(A, new Token(5))));
    List<String> lines = Files.readAllLines(path());
    for (int n = 0; n < lines.size(); n++) {
      Files.write(path(), lines.subList(0, n));
      assertThatThrownBy(() -> file().read())
          .isInstanceOf(StoreUnusableException.class)
          .hasMessageContaining("witness file")
          .hasMessageContaining("--above");
    }
    Files.writeString(
        path(), "leasehold witness 1\nincarnation x\nwal 1\nsystem \ntimeline 1\nend");
    assertThatThrownBy(() -> file().read()).isInstanceOf(StoreUnusableException.class);
  }
}
