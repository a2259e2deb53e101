package dev.leasehold.verification.architecture;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Calls and annotations that no source file may use, each with what to use instead. A use is
 * matched by its text: {@code Owner.member}, {@code new Type()}, {@code new Type(...)} or
 * {@code @Type}; a static import of the member and a method reference to it are uses too.
 */
enum BannedUse {
  SLEEP(
      "\\w+\\.sleep", file -> true, "wait for the condition itself, or advance the manual ticker"),

  WALL_CLOCK(
      "System\\.currentTimeMillis|(Instant|Local\\w+|OffsetDateTime|ZonedDateTime)\\.now"
          + "|Clock\\.system\\w*|new Date\\(\\)",
      file -> !file.isNamed("SystemTicker.java"),
      "take the time as an argument, or from an injected Ticker"),

  NANO_TIME(
      "System\\.nanoTime",
      file -> !file.isNamed("SystemTicker.java") && !file.isNamed("MachineTicker.java"),
      "take the time as an argument, or from an injected Ticker (SystemTicker is the real one)"),

  UNSEEDED_RANDOMNESS(
      "Math\\.random|new (Splittable)?Random\\(\\)|ThreadLocalRandom\\.current",
      file -> true,
      "use a generator made from a seed that a failure prints and -Dleasehold.seed takes back"),

  STANDARD_STREAMS(
      "System\\.(out|err)",
      file -> file.isMain() && !file.packageName().matches("dev\\.leasehold\\.(cli|examples)\\b.*"),
      "log by System.Logger, or return the outcome; only programs print"),

  PRINT_STACK_TRACE(
      ".*\\.printStackTrace", file -> true, "log it by System.Logger with its cause, or rethrow"),

  SWITCHED_OFF_TEST("@(Disabled|Ignore)", file -> true, "repair the test or delete it"),

  UNSUPPORTED_OPERATION(
      "new UnsupportedOperationException\\(.*\\)|UnsupportedOperationException\\.new",
      SourceFile::isMain,
      "split the interface, or answer with an outcome of a sealed type");

  private final Pattern use;

  @SuppressWarnings("ImmutableEnumChecker") // a lambda without state, but its type cannot say so
  private final Predicate<SourceFile> where;

  private final String instead;

  BannedUse(String use, Predicate<SourceFile> where, String instead) {
    this.use = Pattern.compile(use);
    this.where = where;
    this.instead = instead;
  }

  List<String> violations(SourceFile file) {
    if (!where.test(file)) {
      return List.of();
    }
    return file.parts(Tree.class).stream()
        .filter(part -> use.matcher(text(part)).matches())
        .map(part -> file.at(part) + ": " + text(part) + " is banned; " + instead)
        .toList();
  }

  /** The text that a ban is matched with; empty for what cannot be banned. */
  private static String text(Tree part) {
    return switch (part) {
      case MemberSelectTree use -> lastName(use.getExpression()) + "." + use.getIdentifier();
      case MemberReferenceTree use -> lastName(use.getQualifierExpression()) + "." + member(use);
      case NewClassTree use ->
          "new " + lastName(use.getIdentifier()) + (use.getArguments().isEmpty() ? "()" : "(...)");
      case AnnotationTree use -> "@" + lastName(use.getAnnotationType());
      default -> "";
    };
  }

  private static String member(MemberReferenceTree reference) {
    boolean constructor = reference.getMode() == MemberReferenceTree.ReferenceMode.NEW;
    return constructor ? "new" : reference.getName().toString();
  }

  /** {@code java.lang.System} and {@code System} are the same to a ban. */
  private static String lastName(Tree tree) {
    String text = tree.toString();
    return text.substring(text.lastIndexOf('.') + 1);
  }
}
