package dev.leasehold.testkit.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One thing done to a store, and all that its caller can see of it. */
public interface Step<U extends UnderTest> {
  /** Does it; what it gives is compared by {@code equals}. */
  Object on(U under);

  /** How many commands it has that could be left out. */
  default int parts() {
    return 1;
  }

  default Step<U> without(int part) {
    return this;
  }

  /** A step with words for the reader of a failure. */
  static <U extends UnderTest> Step<U> of(String words, Function<U, Object> action) {
    return new Worded<>(words, action);
  }

  /** Commands that are sent together. */
  static <U extends UnderTest, C> Step<U> batch(
      List<C> commands, BiFunction<U, List<C>, Object> send) {
    return new Batch<>(List.copyOf(commands), send);
  }

  /** The clock is set, forward or back. */
  static <U extends UnderTest> Step<U> clock(long toMillis) {
    return of(
        "clock " + toMillis,
        under -> {
          under.setClock(toMillis);
          return toMillis;
        });
  }

  /** A step that cannot be divided. */
  record Worded<U extends UnderTest>(String words, Function<U, Object> action) implements Step<U> {
    @Override
    public Object on(U under) {
      return action.apply(under);
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** A step that can be made smaller command by command. */
  record Batch<U extends UnderTest, C>(List<C> commands, BiFunction<U, List<C>, Object> send)
      implements Step<U> {
    @Override
    public Object on(U under) {
      return send.apply(under, commands);
    }

    @Override
    public int parts() {
      return commands.size();
    }

    @Override
    public Step<U> without(int part) {
      List<C> rest = new ArrayList<>(commands);
      rest.remove(part);
      return new Batch<>(List.copyOf(rest), send);
    }

    @Override
    public String toString() {
      return commands.stream().map(Object::toString).collect(Collectors.joining("\n  + "));
    }
  }
}
