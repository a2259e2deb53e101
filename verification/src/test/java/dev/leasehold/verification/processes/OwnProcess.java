package dev.leasehold.verification.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs a class's tests in a process of their own, so that what they change in their process reaches
 * no other class, and other classes run meanwhile. In this process each test fails or passes as it
 * did there.
 */
public final class OwnProcess implements BeforeAllCallback, InvocationInterceptor {
  static final String IS_OWN = "leasehold.test.own.process";

  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(OwnProcess.class);
  private static final long LIMIT_MINUTES = 240;

  private static boolean isOwn() {
    return Boolean.getBoolean(IS_OWN);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
    if (!isOwn()) {
      Class<?> tests = context.getRequiredTestClass();
      context.getStore(HERE).put(Verdicts.class, run(tests));
    }
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    askOrProceed(invocation, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    askOrProceed(invocation, context);
  }

  private static void askOrProceed(Invocation<Void> invocation, ExtensionContext context)
      throws Throwable {
    if (isOwn()) {
      invocation.proceed();
    } else {
      invocation.skip();
      context
          .getStore(HERE)
          .getOrDefault(Verdicts.class, Verdicts.class, Verdicts.NONE)
          .requirePassed(context.getUniqueId());
    }
  }

  private static Verdicts run(Class<?> tests) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target", "own-processes"));
    Path verdicts = folder.resolve(tests.getName() + ".verdicts");
    Path output = folder.resolve(tests.getName() + ".txt");
    Files.deleteIfExists(verdicts);
    Process process =
        new ProcessBuilder(command(tests, verdicts))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended;
    try {
      ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(ended).as("%s ended: %s", tests, output).isTrue();
    assertThat(process.exitValue()).as("%s ran to its end: %s", tests, output).isZero();
    return Verdicts.read(verdicts);
  }

  private static List<String> command(Class<?> tests, Path verdicts) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:+EnableDynamicAgentLoading"));
    command.add("-D" + IS_OWN + "=true");
    for (Map.Entry<Object, Object> property : System.getProperties().entrySet()) {
      String name = property.getKey().toString();
      if (name.startsWith("leasehold.") && !name.equals(IS_OWN)) {
        command.add("-D" + name + "=" + property.getValue());
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
    command.addAll(List.of(OwnProcessMain.class.getName(), tests.getName(), verdicts.toString()));
    return command;
  }
}
