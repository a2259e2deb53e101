package dev.leasehold.fence.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Holders, successors and readers that are stopped before each of their steps, and before a second
 * step after others have gone on. No process waits for another, so every order can be run.
 */
@Timeout(120)
class GenerationInterleavingTest {
  private static final LeaseKey KEY = LeaseKey.of("lock", "a");

  private static Claim claim(long token) {
    return Claim.of(KEY, new Token(token));
  }

  private static GenerationFile file(Folder folder) {
    return new GenerationFile(
        new GenerationFile.Place(folder, new Names("state")),
        KEY,
        new RefusalTrail(InstantSource.fixed(Instant.EPOCH)),
        IssuedTokens.unseen());
  }

  private static Written write(GenerationFile file, long token, String text) throws IOException {
    return file.write(claim(token), text.getBytes(UTF_8));
  }

  private static String read(GenerationFile file) throws IOException {
    return file.read().map(bytes -> new String(bytes, UTF_8)).orElse("nothing");
  }

  /** A folder, and the actors that work in it. */
  private static final class Scenario {
    final MemoryFolder folder = new MemoryFolder();
    final GenerationFile onlooker = file(folder);
    final Actor one = new Actor(folder);
    final Actor other = new Actor(folder);
    final AtomicReference<Written> written = new AtomicReference<>();
    final AtomicReference<Admission> sealed = new AtomicReference<>();
    final AtomicReference<String> seen = new AtomicReference<>("");

    Callable<Void> writes(Actor actor, long token, String text) {
      return () -> {
        written.set(write(file(actor), token, text));
        return null;
      };
    }

    /** Seals, and then reads the content from which it starts. */
    Callable<Void> takesOver(Actor actor, long token) {
      return () -> {
        sealed.set(file(actor).seal(claim(token)));
        seen.set(read(file(actor)));
        return null;
      };
    }

    Callable<Void> reads(Actor actor) {
      return () -> {
        seen.set(read(file(actor)));
        return null;
      };
    }
  }

  /** Prepares a run in which two actors have started, and checks it when both are done. */
  private interface Story {
    void begin(Scenario scenario) throws Exception;

    void judge(Scenario scenario) throws Exception;
  }

  /** Stops one actor twice and the other once in between, at all steps; then exchanges the two. */
  private static int inEveryOrder(Story story) throws Exception {
    int orders = 0;
    boolean firstIsAll = false;
    for (int first = 0; !firstIsAll; first++) {
      boolean secondIsAll = false;
      for (int second = 1; !secondIsAll; second++) {
        boolean thirdIsAll = false;
        for (int third = 1; !thirdIsAll; third++) {
          Scenario scenario = new Scenario();
          story.begin(scenario);
          scenario.one.steps(first);
          firstIsAll = scenario.one.isDone();
          scenario.other.steps(second);
          secondIsAll = scenario.other.isDone();
          scenario.one.steps(third);
          thirdIsAll = scenario.one.isDone();
          scenario.other.finish();
          scenario.one.finish();
          story.judge(scenario);
          orders++;
        }
      }
    }
    return orders;
  }

  private static void agree(Scenario scenario, String before, String late) throws IOException {
    assertThat(scenario.sealed.get()).isEqualTo(Admission.ADMITTED);
    switch (requireNonNull(scenario.written.get())) {
      case Written.Made made -> assertThat(scenario.seen.get()).isEqualTo(late);
      case Written.NotMade notMade -> assertThat(scenario.seen.get()).isEqualTo(before);
      case Written.Overtaken overtaken -> assertThat(scenario.seen.get()).isIn(before, late);
    }
    // The content that the successor has found does not change.
    assertThat(read(scenario.onlooker)).isEqualTo(scenario.seen.get());
    assertThat(write(scenario.onlooker, 5, "later still")).isInstanceOf(Written.NotMade.class);
    assertThat(read(scenario.onlooker)).isEqualTo(scenario.seen.get());
    assertThat(write(scenario.onlooker, 6, "six")).isEqualTo(new Written.Made());
    assertThat(read(scenario.onlooker)).isEqualTo("six");
  }

  @Test
  void a_successor_finds_every_write_that_was_promised_and_none_that_comes_later()
      throws Exception {
    Story story =
        agreeingOn(
            "before",
            scenario -> {
              assertThat(write(scenario.onlooker, 5, "before")).isEqualTo(new Written.Made());
              scenario.one.begin(scenario.writes(scenario.one, 5, "late"));
              scenario.other.begin(scenario.takesOver(scenario.other, 6));
            });
    assertThat(inEveryOrder(story)).isGreaterThan(100);
  }

  @Test
  void nor_does_it_matter_who_of_them_is_stopped_twice() throws Exception {
    Story story =
        agreeingOn(
            "before",
            scenario -> {
              assertThat(write(scenario.onlooker, 5, "before")).isEqualTo(new Written.Made());
              scenario.one.begin(scenario.takesOver(scenario.one, 6));
              scenario.other.begin(scenario.writes(scenario.other, 5, "late"));
            });
    assertThat(inEveryOrder(story)).isGreaterThan(100);
  }

  @Test
  void the_very_first_write_may_be_late_too() throws Exception {
    Story story =
        agreeingOn(
            "nothing",
            scenario -> {
              scenario.one.begin(scenario.writes(scenario.one, 5, "late"));
              scenario.other.begin(scenario.takesOver(scenario.other, 6));
            });
    assertThat(inEveryOrder(story)).isGreaterThan(100);
  }

  @Test
  void two_who_seal_with_one_token_find_the_same() throws Exception {
    Story story =
        new Story() {
          private final AtomicReference<String> alsoSeen = new AtomicReference<>("");

          @Override
          public void begin(Scenario scenario) throws Exception {
            assertThat(write(scenario.onlooker, 5, "before")).isEqualTo(new Written.Made());
            scenario.one.begin(scenario.takesOver(scenario.one, 6));
            scenario.other.begin(
                () -> {
                  Admission unused = file(scenario.other).seal(claim(6));
                  alsoSeen.set(read(file(scenario.other)));
                  return null;
                });
          }

          @Override
          public void judge(Scenario scenario) throws Exception {
            assertThat(List.of(scenario.seen.get(), alsoSeen.get()))
                .containsExactly("before", "before");
          }
        };
    assertThat(inEveryOrder(story)).isGreaterThan(100);
  }

  @Test
  void a_reader_sees_nothing_that_the_successor_has_not_found() throws Exception {
    Story story =
        new Story() {
          private final AtomicReference<String> found = new AtomicReference<>("");

          @Override
          public void begin(Scenario scenario) throws Exception {
            assertThat(write(scenario.onlooker, 5, "before")).isEqualTo(new Written.Made());
            scenario.one.begin(scenario.reads(scenario.one));
            Actor late = new Actor(scenario.folder);
            late.begin(scenario.writes(late, 5, "late"));
            // A successor takes over and a late write lands, in every order with the reader.
            scenario.other.begin(
                () -> {
                  assertThat(file(scenario.other).seal(claim(6))).isEqualTo(Admission.ADMITTED);
                  found.set(read(scenario.onlooker));
                  while (!late.isDone()) {
                    boolean unused = scenario.other.exists("a step of the late write");
                    late.steps(1);
                  }
                  return null;
                });
            late.steps(4);
          }

          @Override
          public void judge(Scenario scenario) throws Exception {
            assertThat(scenario.seen.get()).isEqualTo(found.get()).isEqualTo("before");
          }
        };
    assertThat(inEveryOrder(story)).isGreaterThan(100);
  }

  /** A sealer that dies at any step is followed by its own repeat, or by the next sealer. */
  @Test
  void a_process_that_dies_while_sealing_leaves_nothing_that_stops_others() throws Exception {
    for (long next = 6; next <= 7; next++) {
      boolean died = true;
      for (int steps = 0; died; steps++) {
        Scenario scenario = new Scenario();
        assertThat(write(scenario.onlooker, 5, "before")).isEqualTo(new Written.Made());
        scenario.one.begin(scenario.takesOver(scenario.one, 6));
        scenario.one.steps(steps);
        died = !scenario.one.isDone();
        assertThat(read(scenario.onlooker)).isEqualTo("before");
        assertThat(scenario.onlooker.seal(claim(next))).isEqualTo(Admission.ADMITTED);
        assertThat(read(scenario.onlooker)).isEqualTo("before");
        assertThat(write(scenario.onlooker, next, "after")).isEqualTo(new Written.Made());
        scenario.one.finish();
        assertThat(read(scenario.onlooker)).isEqualTo("after");
      }
    }
  }

  /** Old generations are deleted; a reader that had found one of them looks again. */
  @Test
  void a_reader_is_not_led_astray_by_cleaning_up() throws Exception {
    boolean stopped = true;
    for (int steps = 0; stopped; steps++) {
      Scenario scenario = new Scenario();
      assertThat(write(scenario.onlooker, 1, "1")).isEqualTo(new Written.Made());
      scenario.one.begin(scenario.reads(scenario.one));
      scenario.one.steps(steps);
      stopped = !scenario.one.isDone();
      for (long token = 2; token <= 9; token++) {
        assertThat(write(scenario.onlooker, token, "" + token)).isEqualTo(new Written.Made());
      }
      scenario.one.finish();
      assertThat(scenario.seen.get()).isIn("1", "9");
      assertThat(scenario.folder.names("state.").stream().filter(n -> n.endsWith(".sealed")))
          .hasSize(3);
    }
  }

  /** The first steps of a story. */
  private interface Beginning {
    void of(Scenario scenario) throws Exception;
  }

  /**
   * The successor and all readers find either the earlier content or the late write, and agree on
   * which.
   */
  private static Story agreeingOn(String before, Beginning beginning) {
    return new Story() {
      @Override
      public void begin(Scenario scenario) throws Exception {
        beginning.of(scenario);
      }

      @Override
      public void judge(Scenario scenario) throws Exception {
        agree(scenario, before, "late");
      }
    };
  }
}
