package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Ticker;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/** All that a command sees of the world it runs in. */
record Surroundings(
    Function<String, Optional<String>> environment,
    PrintWriter out,
    PrintWriter err,
    Function<LeasePlace, LeaseStore> stores,
    Interruptions interruptions,
    Ticker ticker,
    Streams streams) {
  /** For what is read and written byte by byte; texts that are printed go the same way. */
  record Streams(InputStream in, OutputStream out) {}

  static Surroundings ofProcess() {
    return new Surroundings(
        name -> Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty()),
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        LeasePlace::open,
        Interruptions.OF_PROCESS,
        Ticker.system(),
        new Streams(System.in, System.out));
  }

  Exit print(Answer answer, boolean asJson) {
    if (asJson) {
      out.println(answer.json());
    } else if (answer.exit() == Exit.DONE) {
      out.println(answer.sentence());
    } else {
      err.println("leasehold: " + answer.sentence());
    }
    return answer.exit();
  }
}
