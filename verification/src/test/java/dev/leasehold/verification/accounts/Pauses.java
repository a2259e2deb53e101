package dev.leasehold.verification.accounts;

import dev.leasehold.cli.demo.HolderProcess;
import dev.leasehold.cli.demo.Pause;
import dev.leasehold.cli.demo.PausedHolder;
import java.io.IOException;
import java.util.stream.Stream;

/** Pauses of an {@link AccountProgram} that has begun to write. */
public final class Pauses {
  private Pauses() {}

  /**
   * It writes repeatedly, and has printed this many lines about it: it may be anywhere, also inside
   * a write.
   */
  public record WhileWriting(int afterLines) implements Pause {
    @Override
    public void approach(HolderProcess a) throws InterruptedException {
      int unused = a.tell("keep-writing");
      String unusedLine = a.awaitMore(afterLines);
    }

    @Override
    public int goOn(HolderProcess a, String order) throws IOException, InterruptedException {
      a.resume();
      String unused = a.ask("enough", "stopped");
      return a.tell(order);
    }
  }

  /** It is in the middle of a write to the place with this number: once for each step. */
  public static Stream<Pause> insideAWrite(int place) {
    return Stream.of(Midway.Step.values()).map(step -> new InsideAWrite(place, step));
  }

  private record InsideAWrite(int place, Midway.Step step) implements Pause {
    @Override
    public void approach(HolderProcess a) throws InterruptedException {
      String order = "write-at %d %s %d".formatted(place, step, PausedHolder.TAKEN_BY_A);
      String unused = a.ask(order, "midway");
    }

    @Override
    public int goOn(HolderProcess a, String order) throws IOException, InterruptedException {
      int from = a.tell("go-on");
      a.resume();
      // The place knows whether the write was made before B took over, or not at all.
      String unused = a.awaitWrite(from, place);
      return a.tell(order);
    }
  }
}
