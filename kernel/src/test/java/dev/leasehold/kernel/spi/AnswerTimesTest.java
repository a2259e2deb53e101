package dev.leasehold.kernel.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerTimesTest {
  @Test
  void each_layer_gives_up_before_the_one_above_it() {
    List<Duration> fromBelow =
        List.of(
            AnswerTimes.DATABASE,
            AnswerTimes.STORE,
            AnswerTimes.COMMANDS,
            AnswerTimes.REQUEST,
            AnswerTimes.PROMISED,
            AnswerTimes.SERVER);
    assertThat(fromBelow).isSorted().doesNotHaveDuplicates();
  }

  /** Documents, alerts and the settings of users rest on these figures. */
  @Test
  void the_figures_in_documents_and_settings_are_these() {
    assertThat(AnswerTimes.PROMISED).isEqualTo(Duration.ofSeconds(5));
    assertThat(AnswerTimes.SERVER).isEqualTo(Duration.ofMillis(5_500));
    assertThat(AnswerTimes.STORE).isEqualTo(Duration.ofMillis(4_800));
    assertThat(AnswerTimes.DATABASE).isEqualTo(Duration.ofMillis(3_500));
  }
}
