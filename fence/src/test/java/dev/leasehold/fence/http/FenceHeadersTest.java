package dev.leasehold.fence.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FenceHeadersTest {
  private static final Claim CLAIM = new Claim(LeaseKey.of("lock", "a"), new Token(5), "worker 7");

  private static Map<String, List<String>> written(Claim claim) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost/"));
    FenceHeaders.write(request, claim);
    return request.build().headers().map();
  }

  @Test
  void a_claim_arrives_as_it_was_sent_with_and_without_its_instance() {
    assertThat(FenceHeaders.read(written(CLAIM))).isEqualTo(CLAIM);
    Claim whole = CLAIM.ofInstance("0a".repeat(32));
    assertThat(FenceHeaders.read(written(whole))).isEqualTo(whole);
  }

  @Test
  void one_instance_is_named_or_none() {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(written(CLAIM));
    headers.put("Leasehold-Instance-Id", List.of("0a".repeat(32), "0b".repeat(32)));
    assertThatThrownBy(() -> FenceHeaders.read(headers))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("more than one Leasehold-Instance-Id");
    headers.put("Leasehold-Instance-Id", List.of("the secret"));
    assertThatThrownBy(() -> FenceHeaders.read(headers))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("64 lower-case hex digits");
  }
}
