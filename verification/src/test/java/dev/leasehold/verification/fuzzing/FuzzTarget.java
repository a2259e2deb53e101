package dev.leasehold.verification.fuzzing;

/** The entry point for Jazzer. */
public final class FuzzTarget {
  private static volatile Parser parser = Parser.KEY;

  private FuzzTarget() {}

  /** Called once, with the name of the parser. */
  public static void fuzzerInitialize(String[] arguments) {
    parser = Parser.valueOf(arguments[0]);
  }

  /** Called for each input; every exception is a finding. */
  public static void fuzzerTestOneInput(byte[] input) {
    parser.takeOrRefuse(input);
  }
}
