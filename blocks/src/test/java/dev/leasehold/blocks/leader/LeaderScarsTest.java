package dev.leasehold.blocks.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures of other leader elections. Each test is named for what must not happen. */
@Timeout(60)
class LeaderScarsTest {
  private static final Duration TTL = Duration.ofSeconds(30);

  private final ElectionFixture fixture = new ElectionFixture();
  private final ElectionFixture.House anna = fixture.house("anna");
  private final ElectionFixture.House ben = fixture.house("ben");

  /** fabric8io/kubernetes-client #7350. */
  @Test
  void noListenerIsToldOfAnElectionBeforeTheStoreHasConfirmedTheWrite() throws Exception {
    CompletableFuture<List<Outcome>> confirmation = new CompletableFuture<>();
    List<Command> asked = new ArrayList<>();
    anna.line(
        batch -> {
          asked.addAll(batch);
          return confirmation;
        });
    Election election = anna.election().start();
    List<Outcome> granted = fixture.apply(asked).toCompletableFuture().get();
    assertThat(fixture.holder()).as("the store has granted it").contains("anna");
    assertThat(fixture.news()).isEmpty();
    assertThat(election.status().term()).isEmpty();

    anna.reconnect();
    confirmation.complete(granted);
    assertThat(fixture.news()).containsExactly("anna elected");
  }

  /**
   * The same issue: a grant that was never confirmed is no term, and does not block other replicas
   * for ever.
   */
  @Test
  void aGrantThatWasNeverConfirmedIsNotLedUnderAndIsFoundAgainByTheSameRequest() throws Exception {
    anna.line(
        batch -> {
          fixture.apply(batch);
          return new CompletableFuture<>();
        });
    Election election = anna.election().start();
    fixture.advance(Duration.ofSeconds(4));
    assertThat(fixture.news()).isEmpty();
    anna.reconnect();
    fixture.advance(Duration.ofSeconds(12));
    assertThat(fixture.news()).containsExactly("anna elected");
    assertThat(election.status().term().orElseThrow().token())
        .isEqualTo(fixture.grant().orElseThrow().token());
  }

  /** fabric8io/kubernetes-client #7160; the same in kubernetes-client/java. */
  @Test
  void aCandidateWithAShorterTtlDoesNotTakeOverBeforeTheLeadersOwnTtlIsOver() {
    anna.election().ttl(Duration.ofSeconds(60)).start();
    ben.election().ttl(Duration.ofSeconds(5)).start();
    anna.cutOff();
    fixture.advance(Duration.ofMillis(59_900));
    assertThat(fixture.news()).doesNotContain("ben elected");
    fixture.advance(Duration.ofMillis(300));
    assertThat(fixture.news()).endsWith("ben elected");
    assertThat(fixture.news()).containsSubsequence("anna lost by Unreachable", "ben elected");
  }

  /** kubernetes-client/java #3600. */
  @Test
  void whoHasNeverLedIsNeverToldThatItStops() {
    anna.election().start();
    Election candidate = ben.election().start();
    fixture.advance(Duration.ofMinutes(2));
    candidate.close();
    Election unreachable = fixture.house("carl").election().start();
    unreachable.close();
    assertThat(fixture.news()).containsExactly("anna elected");
  }

  /** kubernetes-client/java #714; fabric8io/kubernetes-client #6020. */
  @Test
  void aReplicaThatHasLostIsNotLeftOutOfLaterElections() {
    Election election = anna.election().start();
    for (int i = 1; i <= 5; i++) {
      anna.cutOff();
      fixture.advance(TTL);
      assertThat(election.status().role()).isNotEqualTo(Role.LEADER);
      anna.reconnect();
      fixture.advance(Duration.ofSeconds(40));
      assertThat(election.status().role()).isEqualTo(Role.LEADER);
    }
    assertThat(fixture.news()).hasSize(1 + 5 * 3);
    fixture.revoke();
    fixture.advance(Duration.ofMinutes(2));
    assertThat(election.status().role()).as("even after a revocation").isEqualTo(Role.LEADER);
  }

  /**
   * Curator #1169, #727: the session is lost, and for a while two replicas believe that they lead.
   */
  @Test
  void aLeaderThatIsCutOffDoesNotBelieveWhileAnotherLeads() {
    Election first = anna.election().start();
    Election second = ben.election().start();
    for (int round = 0; round < 10; round++) {
      ElectionFixture.House cut = first.status().role() == Role.LEADER ? anna : ben;
      cut.cutOff();
      for (int step = 0; step < 400; step++) {
        fixture.advance(Duration.ofMillis(100));
        assertThat(first.status().term().isPresent() && second.status().term().isPresent())
            .as("both believe")
            .isFalse();
      }
      cut.reconnect();
      fixture.advance(Duration.ofSeconds(35));
      assertThat(first.status().term().isPresent() ^ second.status().term().isPresent())
          .as("one leads")
          .isTrue();
    }
    assertLeadersTakeTurns();
  }

  /** Asserts that each election comes after the previous term was reported as lost. */
  private void assertLeadersTakeTurns() {
    String leader = "";
    for (String line : fixture.news()) {
      if (line.endsWith(" elected")) {
        assertThat(leader).as("%s", fixture.news()).isEmpty();
        leader = line.split(" ", 2)[0];
      } else if (line.contains(" lost ")) {
        assertThat(line).startsWith(leader + " ");
        leader = "";
      }
    }
  }

  /** fabric8io/kubernetes-client #2860: renewals fail, reads do not. */
  @Test
  void aLeaderWhoseWritesAloneFailDoesNotGoOnLeading() {
    Election election = anna.election().start();
    anna.line(
        batch -> CompletableFuture.failedFuture(new IllegalStateException("the disk is full")));
    fixture.advance(TTL);
    assertThat(fixture.news())
        .containsExactly("anna elected", "anna ending", "anna lost by Unreachable");
    assertThat(election.status().term()).isEmpty();
  }

  /** One failed renewal is not a loss: AURORA-1840, where every blip cost the leadership. */
  @Test
  void aShortOutageCostsNoTerm() {
    anna.election().start();
    for (int i = 0; i < 10; i++) {
      anna.cutOff();
      fixture.advance(Duration.ofSeconds(12));
      anna.reconnect();
      fixture.advance(Duration.ofSeconds(20));
    }
    assertThat(fixture.news()).containsExactly("anna elected");
  }
}
