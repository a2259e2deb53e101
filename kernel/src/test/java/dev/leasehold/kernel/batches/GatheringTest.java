package dev.leasehold.kernel.batches;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which calls go out together, by limits of bytes and batches, for commands of any kind. */
class GatheringTest {
  private static final long BARE = Gatherer.BARE_BYTES;

  /** A command on a place, which may be none. */
  private record Thing(String place, String content, long bytes) {}

  private static final CommandKind<String, Thing, String> THINGS =
      new CommandKind<>() {
        @Override
        public Optional<String> place(Thing thing) {
          return Optional.of(thing.place()).filter(place -> !place.isEmpty());
        }

        @Override
        public long bytes(Thing thing) {
          return thing.bytes();
        }

        @Override
        public String failed(Certainty certainty, String detail) {
          return certainty + ": " + detail;
        }

        @Override
        public String rejected(String why) {
          return why;
        }

        @Override
        public boolean isFinal(Thing thing, String outcome) {
          return false;
        }
      };

  private final Deque<Runnable> events = new ArrayDeque<>();
  private final List<List<Thing>> sent = new ArrayList<>();
  private final List<Wire.Reply<String>> replies = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final Set<String> gone = new HashSet<>();
  private final Gatherer<String, Thing, String> gatherer =
      new Gatherer<>(
          THINGS,
          new GatheringLimits(
              new GatheringLimits.Batch(3, 100),
              GatheringLimits.Flight.of(2, 2),
              10 * BARE,
              Duration.ofSeconds(1)),
          (batch, reply) -> {
            sent.add(batch);
            replies.add(reply);
          },
          new Environment(
              () -> 0, (task, delay) -> () -> {}, events::addLast, new SplittableRandom(1)));

  private void run(Runnable event) {
    events.addLast(event);
    while (!events.isEmpty()) {
      events.removeFirst().run();
    }
  }

  private void came(String place, String content, long bytes) {
    run(
        () ->
            gatherer.submit(
                new Thing(place, content, bytes),
                new Answer.Receiver<>() {
                  @Override
                  public void receive(Answer<String> answer) {
                    told.add(content + " " + answer.outcome());
                  }

                  @Override
                  public boolean isGone() {
                    return gone.contains(content);
                  }
                }));
  }

  private List<String> contents(int batch) {
    return sent.get(batch).stream().map(Thing::content).toList();
  }

  private void landed(int batch) {
    run(() -> replies.get(batch).answered(sent.get(batch).stream().map(t -> "done").toList()));
  }

  @Test
  void a_call_alone_goes_out_at_once() {
    came("a", "1", 0);
    assertThat(contents(0)).containsExactly("1");
    assertThat(sent).hasSize(1);
  }

  @Test
  void what_comes_while_batches_are_in_flight_goes_out_together() {
    came("a", "1", 0);
    came("b", "2", 0);
    came("c", "3", 0);
    came("d", "4", 0);
    assertThat(sent).hasSize(2);
    landed(0);
    assertThat(contents(2)).containsExactly("3", "4");
    landed(1);
    assertThat(sent).hasSize(3);
    assertThat(told).containsExactly("1 done", "2 done");
  }

  @Test
  void calls_on_one_place_are_never_in_two_batches_in_flight() {
    came("a", "1", 0);
    came("a", "2", 0);
    came("b", "3", 0);
    came("a", "4", 0);
    assertThat(contents(1)).containsExactly("3");
    landed(0);
    assertThat(contents(2)).containsExactly("2", "4");
  }

  /** The second call does not fit into the batch of the first, and finds its place in flight. */
  @Test
  void a_call_that_was_ready_before_is_not_overtaken_by_one_that_waits_behind() {
    came("x", "x", 0);
    came("y", "y", 0);
    came("a", "1", 60);
    came("a", "2", 60);
    landed(0);
    assertThat(contents(2)).containsExactly("1");
    came("a", "3", 0);
    landed(1);
    landed(2);
    assertThat(contents(3)).containsExactly("2", "3");
  }

  @Test
  void a_call_that_waits_behind_is_not_overtaken_by_one_that_stayed_ready() {
    came("x", "x", 0);
    came("y", "y", 0);
    came("a", "1", 60);
    came("a", "2", 60);
    came("b", "b", 0);
    came("c", "c", 0);
    came("d", "d", 0);
    came("a", "3", 0);
    landed(0);
    assertThat(contents(2)).containsExactly("1");
    landed(1);
    assertThat(contents(3)).containsExactly("b", "c", "d");
    landed(2);
    assertThat(contents(4)).containsExactly("2", "3");
  }

  @Test
  void calls_without_a_place_never_wait_behind_each_other() {
    came("", "1", 0);
    came("", "2", 0);
    came("", "3", 0);
    came("", "4", 0);
    assertThat(sent).hasSize(2);
    landed(0);
    assertThat(contents(2)).containsExactly("3", "4");
  }

  @Test
  void a_batch_has_its_limits_and_one_call_at_least() {
    came("x", "x", 0);
    came("y", "y", 0);
    for (int i = 0; i < 4; i++) {
      came("n" + i, "n" + i, 1);
    }
    came("large", "large", 1_000);
    came("last", "last", 1);
    landed(0);
    assertThat(contents(2)).containsExactly("n0", "n1", "n2");
    landed(1);
    assertThat(contents(3)).as("the bytes of the next one would be too many").containsOnly("n3");
    landed(2);
    assertThat(contents(4)).containsExactly("large");
    landed(3);
    assertThat(contents(5)).containsExactly("last");
  }

  @Test
  void a_call_that_is_withdrawn_while_it_waits_is_never_sent() {
    came("a", "1", 0);
    came("a", "2", 0);
    came("a", "3", 0);
    gone.add("2");
    landed(0);
    assertThat(contents(1)).containsExactly("3");
    came("a", "4", 0);
    gone.add("4");
    landed(1);
    assertThat(sent).hasSize(2);
    assertThat(told).as("its caller is not told").containsExactly("1 done", "3 done");
    run(gatherer::giveUpAll);
    assertThat(told).hasSize(2);
  }

  @Test
  void what_waits_has_a_bound_and_what_is_withdrawn_makes_room() {
    came("a", "1", 0);
    came("a", "large", 8 * BARE);
    came("a", "too much", 1);
    assertThat(told).containsExactly("too much NOT_APPLIED: too much waits for the store already");
    came("a", "2", 0);
    came("a", "3", 0);
    assertThat(told).hasSize(2);
    gone.add("large");
    came("a", "4", 7 * BARE);
    assertThat(told).as("there was room").hasSize(2);
    landed(0);
    assertThat(contents(1)).containsExactly("2");
    landed(1);
    assertThat(contents(2)).containsExactly("4");
    came("a", "5", 9 * BARE);
    assertThat(told).noneMatch(one -> one.startsWith("5"));
  }

  /** Else a store that hangs would cost a busy process the processor too. */
  @Test
  void calls_beyond_the_bound_are_refused_without_a_look_at_all_that_wait() {
    int room = 10_000;
    int beyond = 10_000;
    AtomicLong looks = new AtomicLong();
    Gatherer<String, Thing, String> large =
        new Gatherer<>(
            THINGS,
            new GatheringLimits(
                new GatheringLimits.Batch(3, 100),
                GatheringLimits.Flight.of(2, 2),
                room * BARE,
                Duration.ofSeconds(1)),
            (batch, reply) -> {},
            new Environment(
                () -> 0, (task, delay) -> () -> {}, Runnable::run, new SplittableRandom(1)));
    for (int i = 0; i < room + beyond; i++) {
      large.submit(
          new Thing("", "x", 0),
          new Answer.Receiver<>() {
            @Override
            public void receive(Answer<String> answer) {
              told.add(answer.outcome());
            }

            @Override
            public boolean isGone() {
              looks.incrementAndGet();
              return false;
            }
          });
    }
    assertThat(told).hasSizeGreaterThan(beyond - 100).first().asString().startsWith("NOT_APPLIED");
    assertThat(looks.get()).isLessThan(100L * (room + beyond));
  }
}
