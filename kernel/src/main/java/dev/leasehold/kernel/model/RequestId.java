package dev.leasehold.kernel.model;

import dev.leasehold.fence.Texts;
import java.util.UUID;

/**
 * Identifies one request: 1 to 64 visible ASCII characters. A sender that got no answer sends the
 * same command under the same id; if the first attempt took effect, the store repeats its answer
 * and changes nothing.
 */
public record RequestId(String text) {
  public static final int MAX_LENGTH = 64;

  public RequestId {
    Texts.requireVisibleAscii("request id", text, MAX_LENGTH);
  }

  public static RequestId random() {
    return new RequestId(UUID.randomUUID().toString());
  }

  @Override
  public String toString() {
    return text;
  }
}
