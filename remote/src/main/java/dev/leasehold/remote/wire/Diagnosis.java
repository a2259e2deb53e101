package dev.leasehold.remote.wire;

import java.util.List;

/** The result of one check of {@code leasehold doctor}. */
public sealed interface Diagnosis {
  int MAX_CHECKS = 1_000;

  /** The name of the check. */
  String check();

  /** The finding, as a sentence. */
  String what();

  /** The check found nothing wrong. */
  record Ok(String check, String what) implements Diagnosis {}

  /** No promise is broken, but an operator should look at it. */
  record Warning(String check, String what, String remedy) implements Diagnosis {}

  /** A promise is broken, or will be. */
  record Problem(String check, String what, String remedy) implements Diagnosis {}

  /** The verdict's word in JSON and on the command line. */
  default String verdict() {
    return switch (this) {
      case Ok ok -> "ok";
      case Warning warning -> "warning";
      case Problem problem -> "problem";
    };
  }

  /** What to do about it, as a sentence; empty if nothing is wrong. */
  default String remedy() {
    return switch (this) {
      case Ok ok -> "";
      case Warning(String check, String what, String todo) -> todo;
      case Problem(String check, String what, String todo) -> todo;
    };
  }

  /** Whether no finding needs an action at once. */
  static boolean isSound(List<Diagnosis> all) {
    return all.stream().noneMatch(Problem.class::isInstance);
  }

  static void write(JsonOut out, List<Diagnosis> all) {
    out.text("outcome", isSound(all) ? "sound" : "problems");
    out.list(
        "checks",
        all,
        (item, one) ->
            item.text("check", one.check())
                .text("verdict", one.verdict())
                .text("what", one.what())
                .textIfAny("remedy", one.remedy()));
  }

  static List<Diagnosis> readAll(Members members) {
    return members.list("checks", MAX_CHECKS, Diagnosis::read);
  }

  private static Diagnosis read(Members item) {
    String check = item.text("check");
    String what = item.text("what");
    String remedy = item.textIfAny("remedy").orElse("");
    return switch (item.text("verdict")) {
      case "ok" -> new Ok(check, what);
      case "warning" -> new Warning(check, what, remedy);
      case "problem" -> new Problem(check, what, remedy);
      default -> throw item.refusal("verdict", "no such verdict is known");
    };
  }
}
