package dev.leasehold.verification.linearizability;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;

/**
 * Calls that race: some first, then one thread against another. Random scenarios seldom use the
 * same key, so the important races are listed.
 */
record Race(String name, List<Call> first, List<Call> one, List<Call> other) {
  /** One operation of the subject, with the numbers it takes. */
  record Call(String operation, List<Integer> arguments) {
    static Call call(String operation, Integer... arguments) {
      return new Call(operation, List.of(arguments));
    }

    private Actor on(Class<?> subject) {
      Method method =
          Arrays.stream(subject.getMethods())
              .filter(m -> m.getName().equals(operation) && !m.isBridge())
              .findFirst()
              .orElseThrow();
      return new Actor(method, arguments);
    }
  }

  ExecutionScenario on(Class<?> subject) {
    return new ExecutionScenario(
        actors(first, subject),
        List.of(actors(one, subject), actors(other, subject)),
        List.of(),
        null);
  }

  private static List<Actor> actors(List<Call> calls, Class<?> subject) {
    return calls.stream().map(call -> call.on(subject)).toList();
  }

  @Override
  public String toString() {
    return name;
  }
}
