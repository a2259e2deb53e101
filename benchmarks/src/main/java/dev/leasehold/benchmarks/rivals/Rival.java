package dev.leasehold.benchmarks.rivals;

import java.util.Optional;

/**
 * A rival to compare with.
 *
 * @param durability how durable a change is before its caller is answered
 * @param missing why it is not available on this machine
 */
public record Rival(String name, String durability, Optional<String> missing, Opening opening) {
  /** Starts its servers and connects to them. */
  public interface Opening {
    Locks open() throws Exception;
  }

  public static Rival of(String name, String durability, Opening opening) {
    return new Rival(name, durability, Optional.empty(), opening);
  }

  /** One that needs a program of this name. */
  static Rival ofProgram(String program, String name, String durability, Opening opening) {
    Optional<String> missing =
        ServerProcess.find(program).isPresent()
            ? Optional.empty()
            : Optional.of("skipped: there is no " + program + " on the path");
    return new Rival(name, durability, missing, opening);
  }
}
