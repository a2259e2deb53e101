package dev.leasehold.remote.wire;

import java.util.function.Consumer;

/**
 * The failure of a request (RFC 9457).
 *
 * @param title the same for every problem of its kind
 * @param detail the details of this one; never a stack trace
 */
public record Problem(int status, String title, String detail) {
  public static final String MEDIA_TYPE = "application/problem+json";

  /** Adds the call's own members. */
  public byte[] bytes(Consumer<JsonOut> beside) {
    return Json.write(
        out -> {
          out.text("type", "about:blank").text("title", title).number("status", status);
          out.text("detail", detail);
          beside.accept(out);
        });
  }

  public byte[] bytes() {
    return bytes(out -> {});
  }

  /** Reads an answer. Its other members can be read from the same {@code members}. */
  public static Problem read(Members members) {
    return new Problem(
        members.integer("status"),
        members.textIfAny("title").orElse(""),
        members.textIfAny("detail").orElse(""));
  }
}
