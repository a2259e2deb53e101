package dev.leasehold.kernel.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.LeaseCharter.Anchor;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Evidence;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LeaseCharterTest {
  private static LeaseCharter charter(
      String kind, String covers, Duration ttl, List<Target> targets) {
    return new LeaseCharter(
        kind,
        Payload.EXCLUSION,
        covers,
        Anchor.STORE,
        ttl,
        Optional.empty(),
        StallLimit.NONE,
        Handoff.GAP,
        targets);
  }

  private static LeaseCharter of(List<Target> targets) {
    return charter("lock", "the nightly report", Duration.ofSeconds(30), targets);
  }

  private static Target target(String name, Check check) {
    return new Target(name, check, Unsealed.BLOCKS);
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllFormedException.class).hasMessageContaining(message);
  }

  @Test
  void aHoleIsATargetThatDoesNotCheckForItself() {
    List<Target> targets = new ArrayList<>();
    for (Check check : Check.values()) {
      targets.add(target(check.name(), check));
    }

    assertThat(of(targets).holes())
        .containsExactly(target("ADVICE", Check.ADVICE), target("NONE", Check.NONE));
  }

  @Test
  void renewalProvesProgressOnlyIfALeaseWithoutItIsLost() {
    LeaseCharter charter = of(List.of());

    assertThat(charter.renewalProves()).isEqualTo(Evidence.PULSE);
    assertThat(charter.stallAfter(Duration.ofMinutes(1)).renewalProves())
        .isEqualTo(Evidence.PROGRESS);
  }

  @Test
  void onlyAMarkThatBlocksHasToBeSealed() {
    for (Check check : Check.values()) {
      assertThat(target("t", check).mustBeSealed()).isEqualTo(check == Check.HIGH_WATER_MARK);
      assertThat(new Target("t", check, Unsealed.IS_A_HOLE).mustBeSealed()).isFalse();
    }
  }

  @Test
  void itsTargetsCannotBeChangedAfterwards() {
    List<Target> targets = new ArrayList<>(List.of(target("orders", Check.AT_EFFECT)));
    LeaseCharter charter = of(targets);
    targets.clear();

    assertThat(charter.targets()).hasSize(1);
  }

  @Test
  void eachTargetIsNamedOnce() {
    List<Target> twice = List.of(target("orders", Check.AT_EFFECT), target("orders", Check.NONE));

    assertRefused(() -> of(twice), "a charter names each target once");
  }

  @Test
  void thereAreUpTo100Targets() {
    List<Target> many = IntStream.range(0, 101).mapToObj(i -> target("t" + i, Check.NONE)).toList();

    assertThat(of(many.subList(0, 100)).targets()).hasSize(100);
    assertRefused(() -> of(many), "101 targets: a charter names at most 100");
  }

  @Test
  void aTargetHasANameOf1To255Characters() {
    assertThat(target("x".repeat(255), Check.NONE).name()).hasSize(255);
    assertRefused(() -> target("", Check.NONE), "target has 0 characters");
    assertRefused(() -> target("x".repeat(256), Check.NONE), "target has 256 characters");
  }

  @Test
  void aKindIsTheFirstPartOfAKey() {
    Duration ttl = Duration.ofSeconds(30);

    assertRefused(() -> charter("", "x", ttl, List.of()), "kind has 0 characters");
    assertRefused(() -> charter("a b", "x", ttl, List.of()), "not visible ASCII");
    assertRefused(
        () -> charter("lock/a", "x", ttl, List.of()),
        "kind 'lock/a' has a slash: a charter is for a kind");
    assertRefused(() -> charter("/a", "x", ttl, List.of()), "has a slash");
  }

  @Test
  void itSaysWhatItCoversAndForHowLong() {
    Duration ttl = Duration.ofMillis(1);

    assertThat(charter("lock", "x".repeat(500), ttl, List.of()).ttl()).isEqualTo(ttl);
    assertRefused(() -> charter("lock", "", ttl, List.of()), "what the lease covers has 0");
    assertRefused(() -> charter("lock", "x".repeat(501), ttl, List.of()), "has 501 characters");
    assertRefused(
        () -> charter("lock", "x", Duration.ZERO, List.of()),
        "a charter's ttl is a positive duration, not PT0S");
  }
}
