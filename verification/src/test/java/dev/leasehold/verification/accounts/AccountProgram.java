package dev.leasehold.verification.accounts;

import dev.leasehold.cli.demo.HolderProgram;
import dev.leasehold.cli.demo.PausedHolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** A holder that can write to every kind of account, and be stopped inside of a write. */
public final class AccountProgram extends HolderProgram {
  public static final PausedHolder.Program PROGRAM =
      new PausedHolder.Program(
          AccountProgram.class,
          (place, store, key) -> AccountKind.open(place, store, key, new Midway()));

  private final Midway midway;
  private Optional<Thread> writing = Optional.empty();
  private volatile boolean enough;

  private AccountProgram(Means means, Midway midway) {
    super(means);
    this.midway = midway;
  }

  public static void main(String[] arguments) throws Exception {
    Midway midway = new Midway();
    HolderProgram.run(
        (place, store, key) -> AccountKind.open(place, store, key, midway),
        means -> new AccountProgram(means, midway),
        arguments);
  }

  @Override
  protected void obey(String[] words) throws Exception {
    switch (words[0]) {
      case "write-at" ->
          writeAt(Integer.parseInt(words[1]), Midway.Step.valueOf(words[2]), words[3]);
      case "keep-writing" -> writing = Optional.of(Thread.ofPlatform().start(this::keepWriting));
      case "enough" -> stopWriting();
      default -> super.obey(words);
    }
  }

  /** Writes at one place, and stops in the middle of the write until it is told to go on. */
  private void writeAt(int place, Midway.Step stopAt, String amount) {
    midway.doAt(
        step -> {
          if (step == stopAt) {
            midway.doNothing();
            say("midway " + place);
            awaitGoOn();
          }
        });
    write(place, Long.parseLong(amount));
    midway.doNothing();
  }

  private void awaitGoOn() {
    try {
      String unused = nextOrder();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void keepWriting() {
    while (!enough) {
      boolean unused = isTrusted();
      write(1);
    }
  }

  private void stopWriting() throws InterruptedException {
    enough = true;
    if (writing.isPresent()) {
      writing.get().join();
    }
    writing = Optional.empty();
    enough = false;
    say("stopped");
  }
}
