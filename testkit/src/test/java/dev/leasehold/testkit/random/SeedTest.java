package dev.leasehold.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeedTest {
  private static final List<Integer> MANY = IntStream.range(0, 20).boxed().toList();

  @Test
  void some_of_many_are_drawn_once_each_and_again_by_the_same_seed() {
    List<Integer> drawn = new Seed(7).some(5, MANY);
    assertThat(drawn).hasSize(5).doesNotHaveDuplicates().isSubsetOf(MANY);
    assertThat(new Seed(7).some(5, MANY)).isEqualTo(drawn);
    assertThat(new Seed(8).some(5, MANY)).isNotEqualTo(drawn);
  }

  @Test
  void all_are_drawn_where_there_are_no_more() {
    assertThat(new Seed(7).some(50, MANY)).containsExactlyInAnyOrderElementsOf(MANY);
  }
}
