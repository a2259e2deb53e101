package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.interleaving.Explorer;
import dev.leasehold.store.jdbc.interleaving.Explorer.Bounds;
import dev.leasehold.testkit.contract.LeaseDifferential;
import dev.leasehold.testkit.contract.LeaseStoreContract;
import dev.leasehold.testkit.random.Seed;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tests that should find a mutant, inside the copy that has it: a scene in every order, as
 * in {@code acquire+delete@free}, also {@code serializable:} or without the triggers that raise
 * floors, {@code untriggered:}; random steps beside the model, {@code differential}; a group of the
 * contract suite, {@code contract:Retry}; or a test without parameters, {@code
 * LockedRowTest#a_lone_renewal_waits_for_its_row_and_keeps_no_other_waiting}.
 */
final class MutantTrial {
  private static final Bounds BOUNDS = new Bounds(3, 0, 1_000);
  private static final Bounds OF_THREE = new Bounds(1, 0, 1_000);
  private static final int STEPS = 1_500;
  private static final int LONGEST = 300;
  private static final String CONTRACT = "contract:";

  private MutantTrial() {}

  /** The first of these that fails, with the beginning of its message; empty if none does. */
  static String firstToFail(List<String> killers) throws Exception {
    for (String killer : killers) {
      Optional<String> failure = failureOf(killer);
      if (failure.isPresent()) {
        String text = failure.get();
        return killer + ": " + text.substring(0, Math.min(LONGEST, text.length()));
      }
    }
    return "";
  }

  private static Optional<String> failureOf(String killer) throws Exception {
    if (killer.equals("differential")) {
      return differential();
    }
    if (killer.startsWith(CONTRACT)) {
      return group(killer.substring(CONTRACT.length()));
    }
    return killer.contains("#") ? test(killer) : scenario(killer);
  }

  private static Optional<String> group(String name) throws Exception {
    Class<?> type =
        Arrays.stream(LeaseStoreContract.class.getDeclaredClasses())
            .filter(group -> group.getSimpleName().equals(name))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no group " + name));
    var constructor = type.getDeclaredConstructor(LeaseStoreContract.class);
    constructor.setAccessible(true);
    for (Method test : methods(type)) {
      if (test.isAnnotationPresent(Test.class) && test.getParameterCount() == 0) {
        Optional<String> failure =
            failureOf(constructor.newInstance(new PostgresContractTest()), test);
        if (failure.isPresent()) {
          return Optional.of(test.getName() + " " + failure.get());
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> scenario(String name) throws Exception {
    boolean serializable = name.startsWith("serializable:");
    String isolation = serializable ? "serializable" : "read\\ committed";
    String scenario = name.substring(name.indexOf(':') + 1);
    try (OrderedStore store = new OrderedStore(isolation, 3, StoreStatements.asTheyAre())) {
      if (name.startsWith("untriggered:")) {
        store.dropTriggers();
      }
      Bounds bounds = scenario.split("\\+", -1).length > 2 ? OF_THREE : BOUNDS;
      var unused =
          new Explorer(store.locks(), bounds).explore(LeaseScenario.named(scenario, store));
      return Optional.empty();
    } catch (Explorer.WrongOrder e) {
      Throwable cause = e.getCause();
      return Optional.of(e.order() + " " + (cause == null ? "" : cause.getMessage()));
    }
  }

  /** The first difference is enough: it is not shrunk. */
  private static Optional<String> differential() {
    AtomicInteger opened = new AtomicInteger();
    try {
      var unused =
          LeaseDifferential.firstDifference(
              startMillis -> {
                if (opened.getAndIncrement() > 0) {
                  throw new Found();
                }
                return new PostgresStoreUnderTest(
                    startMillis, Dialect.POSTGRESQL, "read\\ committed");
              },
              new Seed(1),
              STEPS);
      return Optional.empty();
    } catch (Found e) {
      return Optional.of("the store differs from the model");
    }
  }

  /** A difference was found, and would now be shrunk. */
  private static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static Optional<String> test(String name) throws Exception {
    String className =
        MutantTrial.class.getPackageName() + "." + name.substring(0, name.indexOf('#'));
    Class<?> type = MutantTrial.class.getClassLoader().loadClass(className);
    Method test = method(type, name.substring(name.indexOf('#') + 1));
    var constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return failureOf(constructor.newInstance(), test);
  }

  private static Optional<String> failureOf(Object instance, Method test) throws Exception {
    try {
      giveFolders(instance);
      callAll(instance, BeforeEach.class);
      test.invoke(instance);
      return Optional.empty();
    } catch (InvocationTargetException e) {
      return Optional.of(String.valueOf(e.getCause()));
    } finally {
      callAll(instance, AfterEach.class);
    }
  }

  private static void giveFolders(Object instance) throws Exception {
    for (Field field : instance.getClass().getDeclaredFields()) {
      if (field.isAnnotationPresent(TempDir.class)) {
        field.setAccessible(true);
        field.set(instance, Files.createTempDirectory("mutant"));
      }
    }
  }

  private static Method method(Class<?> type, String name) {
    return methods(type).stream()
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no test " + name + " in " + type));
  }

  /** Those of superclasses first. */
  private static List<Method> methods(Class<?> type) {
    List<Method> methods = new ArrayList<>();
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      methods.addAll(0, List.of(at.getDeclaredMethods()));
    }
    methods.forEach(method -> method.setAccessible(true));
    return methods;
  }

  private static void callAll(Object instance, Class<? extends Annotation> annotation)
      throws ReflectiveOperationException {
    for (Method method : methods(instance.getClass())) {
      if (method.isAnnotationPresent(annotation)) {
        method.invoke(instance);
      }
    }
  }
}
