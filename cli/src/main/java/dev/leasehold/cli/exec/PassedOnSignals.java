package dev.leasehold.cli.exec;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/**
 * Passes signals to this process on. The JDK's class for signals is hidden from the compiler, so it
 * is loaded by name. If it is missing, a signal ends this process, and the guardian ends the
 * command.
 */
final class PassedOnSignals {
  private static final System.Logger LOG = System.getLogger(PassedOnSignals.class.getName());
  private static final List<String> NAMES = List.of("TERM", "INT", "HUP", "USR1", "USR2", "WINCH");

  private PassedOnSignals() {}

  static void to(Consumer<String> taker) {
    for (String name : NAMES) {
      try {
        handle(name, taker);
      } catch (ReflectiveOperationException | IllegalArgumentException e) {
        // The virtual machine reserves some signals for itself.
        LOG.log(System.Logger.Level.DEBUG, "SIG" + name + " is not passed on", e);
      }
    }
  }

  private static void handle(String name, Consumer<String> taker)
      throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object taking =
        Proxy.newProxyInstance(
            handler.getClassLoader(),
            new Class<?>[] {handler},
            (proxy, method, arguments) -> {
              if (method.getName().equals("handle")) {
                taker.accept(name);
              }
              return null;
            });
    try {
      Object unused =
          signal
              .getMethod("handle", signal, handler)
              .invoke(null, signal.getConstructor(String.class).newInstance(name), taking);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(e.getCause());
    }
  }
}
