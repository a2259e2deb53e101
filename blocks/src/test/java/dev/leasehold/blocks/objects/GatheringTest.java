package dev.leasehold.blocks.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.Gathering.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which calls go out together. */
class GatheringTest {
  private final Gathering<String, String, String> gathering =
      new Gathering<>(new Gathering.Limits(2, 3, 100));

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
}
