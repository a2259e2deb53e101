package dev.leasehold.verification.architecture;

import java.util.List;
import java.util.stream.Stream;

/** For each rule of style, code that it must find, and code that it must accept. */
final class TidinessPlants {
  private static final String MAIN = "kernel/src/main/java/dev/leasehold/kernel/Planted.java";
  private static final String TEST = "kernel/src/test/java/dev/leasehold/kernel/PlantedTest.java";
  private static final String TICKER =
      "kernel/src/main/java/dev/leasehold/kernel/spi/SystemTicker.java";
  private static final String CLI = "cli/src/main/java/dev/leasehold/cli/Planted.java";
  private static final String EXAMPLE =
      "examples/e/src/main/java/dev/leasehold/examples/e/Planted.java";

  private TidinessPlants() {}

  static List<SourceFile> untidy(Tidiness rule) {
    return switch (rule) {
      case FILES_ARE_SHORT -> List.of(member(MAIN, "\n".repeat(500)));
      case LINES_ARE_SHORT -> List.of(member(MAIN, "\n// " + "x".repeat(98) + "\n"));
      case METHODS_ARE_SHORT -> List.of(member(MAIN, "void m() {" + "\n".repeat(70) + "}"));
      case METHODS_TAKE_FEW_PARAMETERS ->
          List.of(
              member(MAIN, "void m(int a, int b, int c, int d, int e) {}"),
              member(MAIN, "private void m(int a, int b, int c, int d, int e) {}"),
              member(MAIN, "Planted(int a, int b, int c, int d, int e) {}"),
              member(MAIN, "record R(int a) { void m(int a, int b, int c, int d, int e) {} }"));
      case NOTHING_IS_LEFT_FOR_LATER ->
          List.of(
              member(MAIN, "// TO" + "DO: later\n"),
              member(TEST, "/* FIX" + "ME */"),
              member(MAIN, "/** XX" + "X */ int a;"));
      case NOTHING_IS_SWALLOWED ->
          List.of(
              member(MAIN, "void m() { try { m(); } catch (Exception ignored) {} }"),
              member(TEST, "void m() { try { m(); } catch (RuntimeException e) { /* why */ } }"));
      case RULES_AND_ENGINES_TAKE_NO_LOCKS ->
          List.of(lockedIn("kernel.rules"), lockedIn("kernel.engine"), lockedIn("kernel.batches"));
    };
  }

  static List<SourceFile> tidy(Tidiness rule) {
    return switch (rule) {
      case FILES_ARE_SHORT -> List.of(member(MAIN, "\n".repeat(499)));
      case LINES_ARE_SHORT -> List.of(member(MAIN, "\n// " + "x".repeat(97) + "\n"));
      case METHODS_ARE_SHORT -> List.of(member(MAIN, "void m() {" + "\n".repeat(69) + "}"));
      case METHODS_TAKE_FEW_PARAMETERS ->
          List.of(
              member(MAIN, "void m(int a, int b, int c, int d) {}"),
              member(MAIN, "record R(int a, int b, int c, int d, int e) {}"),
              member(MAIN, "record R(int a, int b, int c, int d, int e) { R { m(); } }"),
              member(MAIN, "@Override public void m(int a, int b, int c, int d, int e) {}"));
      case NOTHING_IS_LEFT_FOR_LATER -> List.of(member(MAIN, "String s = \"TO" + "DO\";"));
      case NOTHING_IS_SWALLOWED ->
          List.of(member(MAIN, "void m() { try { m(); } catch (Exception e) { report(e); } }"));
      case RULES_AND_ENGINES_TAKE_NO_LOCKS -> List.of(lockedIn("kernel.memory"));
    };
  }

  static List<SourceFile> banned(BannedUse ban) {
    return switch (ban) {
      case SLEEP ->
          List.of(
              expression(MAIN, "Thread.sleep(1)"),
              expression(TEST, "java.util.concurrent.TimeUnit.SECONDS.sleep(1)"),
              file(TEST, "import static java.lang.Thread.sleep; class P {}"));
      case WALL_CLOCK ->
          Stream.of(
                  "System.currentTimeMillis()",
                  "java.lang.System.currentTimeMillis()",
                  "supply(System::currentTimeMillis)",
                  "Instant.now()",
                  "LocalDateTime.now()",
                  "Clock.systemUTC()",
                  "new Date()")
              .flatMap(use -> Stream.of(expression(MAIN, use), expression(TEST, use)))
              .toList();
      case NANO_TIME ->
          List.of(expression(MAIN, "System.nanoTime()"), expression(TEST, "use(System::nanoTime)"));
      case UNSEEDED_RANDOMNESS ->
          List.of(
              expression(MAIN, "Math.random()"),
              expression(TEST, "new Random()"),
              expression(MAIN, "new java.util.Random()"),
              expression(MAIN, "ThreadLocalRandom.current()"));
      case STANDARD_STREAMS ->
          List.of(expression(MAIN, "System.out.println()"), expression(MAIN, "use(System.err)"));
      case PRINT_STACK_TRACE ->
          List.of(
              expression(MAIN, "e.printStackTrace()"),
              expression(TEST, "failure().printStackTrace()"));
      case SWITCHED_OFF_TEST ->
          List.of(
              member(TEST, "@Disabled void m() {}"),
              member(TEST, "@org.junit.jupiter.api.Disabled(\"slow\") void m() {}"),
              member(TEST, "@Ignore void m() {}"));
      case UNSUPPORTED_OPERATION ->
          List.of(
              expression(MAIN, "new UnsupportedOperationException()"),
              expression(MAIN, "new UnsupportedOperationException(\"later\")"),
              expression(MAIN, "orElseThrow(UnsupportedOperationException::new)"));
    };
  }

  static List<SourceFile> allowed(BannedUse ban) {
    return switch (ban) {
      case SLEEP -> List.of(expression(TEST, "ticker.advance(ttl)"));
      case WALL_CLOCK ->
          List.of(
              expression(MAIN, "ticker.now()"), expression(TICKER, "System.currentTimeMillis()"));
      case NANO_TIME -> List.of(expression(TICKER, "System.nanoTime()"));
      case UNSEEDED_RANDOMNESS -> List.of(expression(TEST, "new Random(seed)"));
      case STANDARD_STREAMS ->
          List.of(
              expression(CLI, "System.out.println()"),
              expression(EXAMPLE, "System.out.println()"),
              expression(TEST, "System.out.println()"),
              expression(MAIN, "System.getLogger(name)"));
      case PRINT_STACK_TRACE -> List.of(expression(MAIN, "e.getStackTrace()"));
      case SWITCHED_OFF_TEST -> List.of(member(TEST, "@Test void m() {}"));
      case UNSUPPORTED_OPERATION ->
          List.of(expression(TEST, "new UnsupportedOperationException()"));
    };
  }

  static List<SourceFile> packageWith(String document) {
    return List.of(
        file("kernel/src/main/java/dev/leasehold/kernel/package-info.java", document),
        file(MAIN, ""));
  }

  private static SourceFile lockedIn(String packageName) {
    String name = "dev.leasehold." + packageName;
    return SourceFile.parse(
        "kernel/src/main/java/" + name.replace('.', '/') + "/Planted.java",
        "package " + name + "; class Planted { void m() { synchronized (this) { m(); } } }");
  }

  private static SourceFile expression(String path, String expression) {
    return member(path, "Object o = " + expression + ";");
  }

  private static SourceFile member(String path, String member) {
    return file(path, "class Planted { " + member + " }");
  }

  /** The text may start with what belongs before the package, as in a package-info.java. */
  private static SourceFile file(String path, String text) {
    String folder = path.substring(path.indexOf("/java/") + 6, path.lastIndexOf('/'));
    String packaged = "package " + folder.replace('/', '.') + ";";
    boolean document = path.endsWith("package-info.java");
    return SourceFile.parse(path, document ? text + packaged : packaged + " " + text);
  }
}
