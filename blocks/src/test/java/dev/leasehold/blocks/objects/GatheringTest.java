package dev.leasehold.blocks.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.Gathering.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which calls go out together. */
class GatheringTest {
  private final Gathering<String, String, String> gathering =
      new Gathering<>(new Gathering.Limits(2, 3, 100, 10 * Call.BARE_BYTES));

  private Call<String, String, String> came(String place, String content, long bytes) {
    Call<String, String, String> call =
        new Call<>(place, content, bytes, new CompletableFuture<>());
    gathering.came(call);
    return call;
  }

  private static List<String> contents(List<Call<String, String, String>> batch) {
    return batch.stream().map(Call::content).toList();
  }

  @Test
  void a_call_alone_goes_out_at_once() {
    came("a", "1", 0);
    assertThat(contents(gathering.next())).containsExactly("1");
    assertThat(gathering.next()).isEmpty();
  }

  @Test
  void what_comes_while_batches_are_on_their_way_goes_out_together() {
    came("a", "1", 0);
    List<Call<String, String, String>> first = gathering.next();
    came("b", "2", 0);
    List<Call<String, String, String>> second = gathering.next();
    came("c", "3", 0);
    came("d", "4", 0);
    assertThat(gathering.next()).isEmpty();
    gathering.landed(first);
    assertThat(contents(gathering.next())).containsExactly("3", "4");
    gathering.landed(second);
    assertThat(gathering.next()).isEmpty();
  }

  @Test
  void calls_of_one_place_are_never_in_two_batches_on_their_way() {
    came("a", "1", 0);
    List<Call<String, String, String>> first = gathering.next();
    came("a", "2", 0);
    came("b", "3", 0);
    came("a", "4", 0);
    assertThat(contents(gathering.next())).containsExactly("3");
    gathering.landed(first);
    assertThat(contents(gathering.next())).containsExactly("2", "4");
  }

  @Test
  void a_batch_has_its_limits_and_one_call_at_least() {
    for (int i = 0; i < 4; i++) {
      came("n" + i, "n" + i, 1);
    }
    came("large", "large", 1_000);
    came("last", "last", 1);
    List<Call<String, String, String>> first = gathering.next();
    assertThat(contents(first)).containsExactly("n0", "n1", "n2");
    assertThat(contents(gathering.next())).containsExactly("n3");
    gathering.landed(first);
    List<Call<String, String, String>> third = gathering.next();
    assertThat(contents(third)).containsExactly("large");
    gathering.landed(third);
    assertThat(contents(gathering.next())).containsExactly("last");
  }

  @Test
  void a_call_that_was_given_up_while_it_waited_is_never_sent() {
    came("a", "1", 0);
    List<Call<String, String, String>> first = gathering.next();
    Call<String, String, String> impatient = came("a", "2", 0);
    came("a", "3", 0);
    assertThat(gathering.next()).isEmpty();
    impatient.answer().cancel(false);
    gathering.landed(first);
    List<Call<String, String, String>> second = gathering.next();
    assertThat(contents(second)).containsExactly("3");
    came("a", "4", 0).answer().cancel(false);
    gathering.landed(second);
    assertThat(gathering.next()).isEmpty();
  }

  @Test
  void what_waits_has_a_bound_and_what_was_given_up_makes_room() {
    came("a", "1", 0);
    List<Call<String, String, String>> first = gathering.next();
    Call<String, String, String> large = came("a", "large", 8 * Call.BARE_BYTES);
    assertThat(gathering.hasRoomFor(0)).isTrue();
    assertThat(gathering.hasRoomFor(1)).isFalse();
    came("a", "2", 0);
    assertThat(gathering.hasRoomFor(0)).isFalse();
    large.answer().cancel(false);
    assertThat(gathering.hasRoomFor(8 * Call.BARE_BYTES)).isTrue();
    gathering.landed(first);
    assertThat(contents(gathering.next())).containsExactly("2");
    assertThat(gathering.hasRoomFor(9 * Call.BARE_BYTES)).isTrue();
  }
}
