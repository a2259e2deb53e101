package dev.leasehold.verification.linearizability;

import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.util.LoggingLevel;

/**
 * How much is tried: in every build the listed races and a few random scenarios, with {@code
 * -Dleasehold.proof=true} many more of those, and real threads.
 */
final class Effort {
  private static final boolean PROOF = Boolean.getBoolean("leasehold.proof");
  private static final int MADE_UP = PROOF ? 10 : 1;
  private static final int ORDERS = PROOF ? 300 : 50;
  private static final int STRESS_RUNS = 2_000;

  private Effort() {}

  /**
   * After this time one run counts as hung. Lincheck's own 10 s are too short for a run that loads
   * classes on a busy machine; the option is public to Kotlin only inside of Lincheck, and to Java
   * under this name.
   */
  private static final long HUNG_MILLIS = 120_000;

  /**
   * Every switch between threads is chosen: finds what a rare order of steps does. A loop of 10
   * rounds or more passes for a spin lock, and the orders behind it are not tried: so the subjects
   * check no long texts while they run.
   */
  static void modelCheck(Class<?> subject, Class<?> specification, List<Race> races) {
    ModelCheckingOptions options = modelChecking(specification).iterations(MADE_UP);
    for (Race race : races) {
      options = options.addCustomScenario(race.on(subject));
    }
    options.check(subject);
  }

  /** Checks one race and nothing else, to see whether it catches a canary. */
  static void modelCheck(Class<?> subject, Class<?> specification, Race race) {
    modelChecking(specification)
        .iterations(0)
        .minimizeFailedScenario(false)
        .addCustomScenario(race.on(subject))
        .check(subject);
  }

  private static ModelCheckingOptions modelChecking(Class<?> specification) {
    return new ModelCheckingOptions()
        .invocationsPerIteration(ORDERS)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .invocationTimeout$lincheck(HUNG_MILLIS)
        .sequentialSpecification(specification)
        .logLevel(LoggingLevel.ERROR);
  }

  /** Real threads and real memory: finds what is not published. */
  static void stress(Class<?> subject, Class<?> specification, List<Race> races) {
    StressOptions options =
        new StressOptions()
            .iterations(MADE_UP)
            .invocationsPerIteration(STRESS_RUNS)
            .threads(2)
            .actorsPerThread(3)
            .actorsBefore(1)
            .actorsAfter(1)
            .invocationTimeout$lincheck(HUNG_MILLIS)
            .sequentialSpecification(specification)
            .logLevel(LoggingLevel.ERROR);
    for (Race race : races) {
      options = options.addCustomScenario(race.on(subject));
    }
    options.check(subject);
  }
}
