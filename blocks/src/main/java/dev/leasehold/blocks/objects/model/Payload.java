package dev.leasehold.blocks.objects.model;

import dev.leasehold.fence.IllFormedException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The content of an object: any bytes, up to 1 MiB. It never changes. */
public final class Payload {
  public static final int MAX_BYTES = 1 << 20;
  public static final Payload EMPTY = new Payload(new byte[0]);

  private final byte[] bytes;

  private Payload(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Payload of(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw new IllFormedException(
          "payload of "
              + bytes.length
              + " bytes: an object has "
              + MAX_BYTES
              + " at the most; keep what is larger elsewhere, and its address here");
    }
    return new Payload(bytes.clone());
  }

  /** Encoded as UTF-8. */
  public static Payload ofText(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public int size() {
    return bytes.length;
  }

  /** Decoded as UTF-8. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload payload && Arrays.equals(bytes, payload.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Only the size, because the content must not reach a log. */
  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
