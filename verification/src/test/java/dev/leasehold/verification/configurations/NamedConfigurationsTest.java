package dev.leasehold.verification.configurations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.files.GenerationFile;
import dev.leasehold.fence.files.Written;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseLostException;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.Seal;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.verification.configurations.Stage.Player;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Signature failures, by name; {@code docs/evidence/configurations.md} has the whole table. */
@Timeout(60)
class NamedConfigurationsTest {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration PAST_EXPIRY = TTL.plusSeconds(1);
  private static final Duration STEP = Duration.ofMillis(100);
  private static final LeaseKey KEY = new LeaseKey("work/orders");
  private static final LossReason UNREACHABLE = new LossReason.Unreachable();

  private final RefusalTrail trail = new RefusalTrail(InstantSource.system());
  private final MemoryFence orders = new MemoryFence("orders", trail);
  private final List<String> written = new ArrayList<>();
  private final LeaseRequest request = LeaseRequest.of(KEY).ttl(TTL).sealing(Seal.of(orders));

  private final Stage stage = new Stage();
  private final Player anna = stage.enter("anna");
  private final Player ben = stage.enter("ben");

  private Admission write(Lease lease, String what) {
    return orders.change(lease.claim(), () -> written.add(what));
  }

  /** Anna's process is suspended, her lease expires, and Ben takes over and seals. */
  private Lease overtake() throws InterruptedException {
    anna.pause();
    stage.advance(PAST_EXPIRY);
    return ben.take(request);
  }

  @Nested
  class LockLease {
    @Test
    void pausePastExpiryResume() throws Exception {
      Lease old = anna.take(request);
      old.ensureHeld();
      Lease next = overtake();
      assertThat(write(next, "next")).isEqualTo(Admission.ADMITTED);
      assertThat(write(old, "old")).isEqualTo(new Admission.Stale(next.token()));
      assertThatThrownBy(old::ensureHeld).isInstanceOf(LeaseLostException.class);
      anna.resume();
      assertThat(old.lost().toCompletableFuture()).isCompleted();
      assertThat(written).containsExactly("next");
      assertThat(trail.newestFirst().getFirst().claim()).isEqualTo(old.claim());
    }

    @Test
    void wrongHolderRelease() throws Exception {
      Lease old = anna.take(request);
      Command.Release another =
          new Command.Release(KEY, old.token(), Instance.random(), RequestId.random());
      assertThat(stage.ask(another)).isEqualTo(new Outcome.Lost(new LossReason.NotHolder()));
      Lease next = overtake();
      anna.resume();
      assertThat(old.release()).isInstanceOf(Release.AlreadyOver.class);
      assertThat(stage.holderOf(KEY)).contains("ben");
      next.ensureHeld();
    }

    /** Shows why a fence is needed: without one the late write lands, and the charter says so. */
    @Test
    void noDownstreamFence() throws Exception {
      Lease old = anna.take(request);
      assertThat(old.trust()).isPositive();
      Lease next = overtake();
      written.add("next " + next.token());
      written.add("old " + old.token());
      assertThat(written).last().asString().startsWith("old");

      Target mail = new Target("mail", Check.NONE, Unsealed.IS_A_HOLE);
      LeaseCharter charter =
          LeaseCharter.of("work", Payload.EXCLUSION, "one run of the orders")
              .target(new Target("orders", Check.HIGH_WATER_MARK, Unsealed.BLOCKS))
              .target(mail);
      assertThat(charter.holes()).containsExactly(mail);
    }
  }

  @Nested
  class LeaderLease {
    @Test
    void splitBrain() throws Exception {
      Lease old = anna.take(request);
      anna.cutOff();

      Lease next = neverTwoAtOnce(old);
      assertThat(write(next, "next")).isEqualTo(Admission.ADMITTED);
      assertThat(write(old, "old")).isInstanceOf(Admission.Stale.class);
    }

    /** A read that began in time may be answered late: check the lease after it, not before. */
    @Test
    void oldLeaderServesStaleReads() throws Exception {
      Lease old = anna.take(request);
      assertThat(write(old, "1")).isEqualTo(Admission.ADMITTED);
      old.ensureHeld();
      String read = written.getLast();
      Lease next = overtake();
      assertThat(write(next, "2")).isEqualTo(Admission.ADMITTED);
      assertThat(read).isEqualTo("1");
      assertThatThrownBy(old::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    /** A holder uses its own clock; if the store's clock goes back, others only wait longer. */
    @Test
    void clockBasedLeaseUnderPartition() throws Exception {
      Lease old = anna.take(request);
      anna.cutOff();
      stage.stepStoreClock(Duration.ofMinutes(-1));
      neverTwoAtOnce(old);
      assertThat(old.lossReason()).contains(UNREACHABLE);
    }

    /** If clocks break the assumptions, two may trust their leases; then the fence decides. */
    @Test
    void aClockThatJumpsAheadLeavesTheFence() throws Exception {
      Lease old = anna.take(request);
      stage.stepStoreClock(Duration.ofHours(1));
      Lease next = ben.take(request);
      old.ensureHeld();
      assertThat(write(old, "old")).isEqualTo(new Admission.Stale(next.token()));
    }

    /** Ben asks continually until he gets the key, and never while Anna trusts her lease. */
    private Lease neverTwoAtOnce(Lease old) throws InterruptedException {
      for (int step = 0; step < 2_000; step++) {
        if (ben.leases().tryAcquire(request) instanceof Acquisition.Acquired acquired) {
          assertThat(old.trust()).isZero();
          return acquired.lease();
        }
        stage.advance(STEP);
      }
      throw new AssertionError("no holder ever follows");
    }
  }

  @Nested
  class DeliveryLease {
    @Test
    void completeAfterExpiry() throws Exception {
      Lease first = anna.take(request);
      Lease second = overtake();
      assertThat(write(second, "item 1 is done")).isEqualTo(Admission.ADMITTED);
      assertThat(write(first, "item 1 is done")).isInstanceOf(Admission.Stale.class);
      assertThat(written).hasSize(1);
    }

    @Test
    void staleAck() throws Exception {
      Lease first = anna.take(request);
      overtake();
      anna.resume();
      assertThat(first.release()).isInstanceOf(Release.AlreadyOver.class);
      assertThat(stage.holderOf(KEY)).as("still being worked on").contains("ben");
    }

    /** Work that takes longer than expected is not delivered a second time. */
    @Test
    void visibilityMistuned() throws Exception {
      Lease slow = anna.take(request);
      stage.advance(TTL.multipliedBy(20));

      assertThat(ben.leases().tryAcquire(request)).isInstanceOf(Acquisition.Held.class);
      slow.ensureHeld();
    }
  }

  @Nested
  class ShardLease {
    @TempDir Path folder;

    @Test
    void zombieCheckpoint() throws Exception {
      GenerationFile checkpoint = GenerationFile.at(folder.resolve("checkpoint"), KEY, trail);
      LeaseRequest sharded = LeaseRequest.of(KEY).ttl(TTL).sealing(Seal.of(checkpoint));
      Lease zombie = anna.take(sharded);
      assertThat(checkpoint.write(zombie.claim(), bytes("7"))).isEqualTo(new Written.Made());
      anna.pause();
      stage.advance(PAST_EXPIRY);
      Lease next = ben.take(sharded);
      assertThat(checkpoint.write(next.claim(), bytes("9"))).isEqualTo(new Written.Made());

      assertThat(checkpoint.write(zombie.claim(), bytes("8")))
          .isEqualTo(new Written.NotMade(new Admission.Stale(next.token())));
      assertThat(content(checkpoint)).isEqualTo("9");
    }

    /** A hand-over has only these two modes, and the caller must choose one. */
    @Test
    void handoffGapOrOverlapUnchosen() {
      LeaseCharter silent = LeaseCharter.of("shard", Payload.SHARD, "the rows of one shard");
      assertThat(silent.handoff()).isEqualTo(Handoff.GAP);
      assertThat(silent.handoff(Handoff.OVERLAP).handoff()).isEqualTo(Handoff.OVERLAP);
    }
  }

  @Nested
  class SessionLease {
    @Test
    void networkPauseKillsSession() throws Exception {
      Lease session = anna.take(request);
      anna.cutOff();
      stage.advance(TTL.dividedBy(3));
      anna.reconnect();
      stage.advance(TTL);
      session.ensureHeld();

      anna.cutOff();
      stage.advance(TTL);
      assertThat(session.lost().toCompletableFuture()).isCompletedWithValue(UNREACHABLE);
    }

    @Test
    void oldSessionBelievesItLives() throws Exception {
      Lease old = anna.take(request);
      anna.pause();
      stage.advance(TTL);

      assertThat(stage.holderOf(KEY)).isEmpty();
      assertThat(old.trust()).as("before the engine has told it").isZero();
    }

    @Test
    void duplicateIdentityOnReconnect() throws Exception {
      Lease before = anna.take(request);
      Player restarted = stage.enter("anna");
      assertThat(restarted.leases().tryAcquire(request)).isInstanceOf(Acquisition.Held.class);
      anna.pause();
      stage.advance(PAST_EXPIRY);
      Lease after = restarted.take(request);
      anna.resume();
      stage.advance(STEP);

      after.ensureHeld();
      assertThat(after.token().isAbove(before.token())).isTrue();
      assertThat(before.release())
          .isInstanceOfSatisfying(
              Release.AlreadyOver.class,
              over -> assertThat(over.reason()).isNotEqualTo(new LossReason.Released()));
      assertThat(stage.holderOf(KEY)).contains("anna");
    }
  }

  @Nested
  class ReservationLease {
    @Test
    void leak() throws Exception {
      anna.take(request);
      anna.pause();
      stage.advance(TTL);

      assertThat(stage.holderOf(KEY)).isEmpty();
    }

    @Test
    void expiredHoldHonored() throws Exception {
      Lease hold = anna.take(request);
      Lease next = overtake();
      assertThat(write(next, "seat 7 is sold")).isEqualTo(Admission.ADMITTED);

      assertThat(write(hold, "seat 7 is sold")).isInstanceOf(Admission.Stale.class);
    }
  }

  @Nested
  class CredentialLease {
    /** The operator need not wait for the ttl: the revocation's own token seals the targets. */
    @Test
    void revokedButUnexpired() throws Exception {
      Lease revoked = anna.take(request);
      Token sealing = stage.revokeNow(KEY).token();
      revoked.ensureHeld();
      assertThat(orders.seal(revoked.claim())).isEqualTo(Admission.ADMITTED);
      assertThat(orders.seal(new Claim(KEY, sealing, "operator"))).isEqualTo(Admission.ADMITTED);

      assertThat(write(revoked, "late")).isEqualTo(new Admission.Stale(sealing));
      stage.advance(TTL.dividedBy(2));
      assertThat(revoked.lossReason())
          .contains(new LossReason.Revoked("operator", "left the company"));
    }

    @Test
    void longTtlBlastRadius() {
      Player bounded =
          stage.enter("cleo", LeaseCharter.of("work", Payload.PERMISSION, "to write").ttl(TTL));
      assertThatThrownBy(
              () -> bounded.leases().tryAcquire(LeaseRequest.of(KEY).ttl(Duration.ofHours(8))))
          .isInstanceOf(IllFormedException.class)
          .hasMessageContaining("a ttl of at most PT30S");
    }
  }

  @Nested
  class FencingToken {
    @Test
    void uncheckedAtSomeTarget() {
      LeaseCharter charter =
          LeaseCharter.of("work", Payload.EXCLUSION, "the orders and their mails")
              .target(new Target("orders", Check.HIGH_WATER_MARK, Unsealed.BLOCKS))
              .target(new Target("mails", Check.ADVICE, Unsealed.IS_A_HOLE));
      assertThat(charter.holes()).extracting(Target::name).containsExactly("mails");
      Player chartered = stage.enter("cleo", charter);

      assertThatThrownBy(() -> chartered.leases().tryAcquire(LeaseRequest.of(KEY)))
          .as("unsealed")
          .hasMessageContaining("does not seal it");
      assertThatThrownBy(
              () ->
                  chartered
                      .leases()
                      .tryAcquire(request.sealing(Seal.of("pages", claim -> Admission.ADMITTED))))
          .as("unnamed")
          .hasMessageContaining("name the target in the charter");
    }

    /** Every token after an advance is above all earlier ones, whatever their counters. */
    @Test
    void incomparableTokens() throws Exception {
      Lease before = anna.take(request);
      stage
          .store()
          .advance(
              new Advance(
                  OptionalInt.of(before.token().incarnation()),
                  OptionalInt.empty(),
                  OptionalLong.of(0)))
          .toCompletableFuture()
          .join();
      Lease after = ben.take(request);

      assertThat(after.token()).isGreaterThan(before.token());
      assertThat(Token.parse(after.token().toString())).isEqualTo(after.token());
      assertThat(write(before, "late")).isEqualTo(new Admission.Stale(after.token()));
    }
  }

  @Nested
  class Renewal {
    @Test
    void livenessWithoutProgress() throws Exception {
      Duration limit = Duration.ofMinutes(1);
      Lease stuck = anna.take(request.stallAfter(limit));
      Lease moving = ben.take(LeaseRequest.of("work/other").ttl(TTL).stallAfter(limit));
      for (int i = 0; i < 10; i++) {
        moving.progressed();
        stage.advance(limit.dividedBy(4));
      }

      assertThat(stuck.lost().toCompletableFuture()).isCompletedWithValue(new LossReason.Stalled());
      moving.ensureHeld();
    }

    @Test
    void renewalStorm() throws Exception {
      int held = 2_000;
      for (int i = 0; i < held; i++) {
        anna.take(LeaseRequest.of("work/" + i).ttl(TTL));
      }
      int before = anna.batches();
      stage.advance(TTL);

      assertThat(anna.batches() - before).isPositive().isLessThan(held / 10);
    }

    @Test
    void renewPastLogicalEnd() throws Exception {
      Instance instance = Instance.random();
      Command.Acquire acquire =
          Command.Acquire.of(KEY, instance, RequestId.random(), Terms.of("cleo", TTL));
      Token token = ((Outcome.Granted) stage.ask(acquire)).grant().token();
      Command.Renew renew = Command.Renew.of(KEY, token, instance);
      stage.advance(TTL);
      assertThat(stage.ask(renew)).isEqualTo(new Outcome.Lost(new LossReason.Expired()));

      stage.stepStoreClock(TTL.negated());
      assertThat(stage.ask(renew)).isEqualTo(new Outcome.Lost(new LossReason.Expired()));
    }
  }

  @Nested
  class HandoffLease {
    @TempDir Path folder;

    private Release.HandedOver passToBen(Lease given, Handoff handoff) throws Exception {
      return (Release.HandedOver) given.handOver("ben", ben.leases().instanceId(), handoff);
    }

    /** A waiter does not get the key in between. */
    @Test
    void ownershipGap() throws Exception {
      Player cleo = stage.enter("cleo");
      Lease given = anna.take(request);
      CompletableFuture<Acquisition> waiting =
          cleo.leases().acquireAsync(request, Duration.ofMinutes(1));
      Release.HandedOver passed = passToBen(given, Handoff.GAP);
      stage.advance(TTL.dividedBy(2));
      assertThat(stage.holderOf(KEY)).contains("ben");
      assertThat(ben.leases().inherit(request, passed.token()))
          .isInstanceOf(Acquisition.Acquired.class);
      assertThat(waiting).isNotDone();
    }

    /** With either mode, the giver cannot write once the heir has sealed. */
    @Test
    void ownershipOverlap() throws Exception {
      Lease given = anna.take(request);
      Release.HandedOver passed = passToBen(given, Handoff.OVERLAP);
      assertThat(given.trust()).isZero();
      assertThat(write(given, "winding down")).isEqualTo(Admission.ADMITTED);
      assertThat(ben.leases().inherit(request, passed.token()))
          .isInstanceOf(Acquisition.Acquired.class);
      assertThat(write(given, "late")).isEqualTo(new Admission.Stale(passed.token()));
    }

    /** Work is told to stop while there is time left to record its progress. */
    @Test
    void uncommittedProgressLost() throws Exception {
      Lease ending = anna.take(request.grace(Duration.ofSeconds(3)));
      anna.cutOff();
      for (int step = 0; step < 1_000 && !ending.isEnding(); step++) {
        stage.advance(STEP);
      }
      ending.ensureHeldFor(Duration.ofSeconds(2));
      assertThat(write(ending, "as far as this")).isEqualTo(Admission.ADMITTED);
    }

    /** The successor seals before it reads, so it never starts from a late write. */
    @Test
    void staleStartingCheckpoint() throws Exception {
      GenerationFile checkpoint = GenerationFile.at(folder.resolve("checkpoint"), KEY, trail);
      LeaseRequest sharded = LeaseRequest.of(KEY).ttl(TTL).sealing(Seal.of(checkpoint));
      Lease old = anna.take(sharded);
      assertThat(checkpoint.write(old.claim(), bytes("7"))).isEqualTo(new Written.Made());
      anna.pause();
      stage.advance(PAST_EXPIRY);
      ben.take(sharded);
      assertThat(content(checkpoint)).as("acknowledged").isEqualTo("7");
      assertThat(checkpoint.write(old.claim(), bytes("8"))).isInstanceOf(Written.NotMade.class);
      assertThat(content(checkpoint)).isEqualTo("7");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String content(GenerationFile file) throws IOException {
    return new String(file.read().orElseThrow(), StandardCharsets.UTF_8);
  }
}
