package dev.leasehold.examples.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * A gateway that ends with the test that has started it. If the test says so, its reconciler writes
 * records without the claim of its term, like code that relies on being the leader.
 */
final class Attached {
  private Attached() {}

  public static void main(String[] arguments) throws IOException {
    Thread.ofPlatform().daemon().start(Attached::endWithInput);
    String[] settings = Arrays.copyOfRange(arguments, 1, arguments.length);
    switch (Claims.valueOf(arguments[0])) {
      case BROUGHT -> Gateway.main(settings);
      case LEFT_OUT -> Gateway.start(settings, (objects, leading) -> objects);
    }
  }

  /** Whether writes of records bring the claim. */
  enum Claims {
    BROUGHT,
    LEFT_OUT
  }

  private static void endWithInput() {
    try {
      int next = System.in.read();
      while (next >= 0) {
        next = System.in.read();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }
}
