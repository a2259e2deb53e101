package dev.leasehold.fence.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalBodyTest {
  private static Optional<Admission.Refused> read(String text) {
    return RefusalBody.read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_refusal_is_read_with_any_text_around_it() {
    Admission.Refused stale = new Admission.Stale(new Token(6));
    assertThat(read("{\"outcome\":\"stale\",\"current\":6}")).contains(stale);
    assertThat(read(" { \"current\" : 6 ,\n \"outcome\" : \"stale\" } ")).contains(stale);
    assertThat(
            read(
                "{\"detail\":\"he said \\\"outcome\\\":\\\"unissued\\\"}\",\"status\":409,"
                    + "\"outcome\":\"stale\",\"x\":null,\"current\":6,\"y\":-1.5e3}"))
        .contains(stale);
    assertThat(read("{\"outcome\":\"unissued\"}"))
        .contains(new Admission.Unissued(Optional.empty()));
    assertThat(read("{\"outcome\":\"unissued\",\"current\":6}"))
        .contains(new Admission.Unissued(Optional.of(new Token(6))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "stale",
        "[\"stale\"]",
        "{\"outcome\":\"held\",\"current\":6}",
        "{\"outcome\":\"stale\"}",
        "{\"outcome\":\"stale\",\"current\":9999999999999999}",
        "{\"outcome\":\"stale\",\"current\":\"6\"}",
        "{\"outcome\":\"stale\",\"current\":6",
        "{\"outcome\":\"stale\",\"current\":6} {}",
        "{\"inner\":{\"outcome\":\"stale\",\"current\":6}}"
      })
  void any_other_text_is_no_answer_of_a_fence(String text) {
    assertThat(read(text)).isEmpty();
  }
}
