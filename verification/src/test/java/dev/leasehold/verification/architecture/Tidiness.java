package dev.leasehold.verification.architecture;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Style that can be checked, apart from {@link BannedUse}. Each rule lists what it objects to. */
enum Tidiness {
  FILES_ARE_SHORT(Tidiness::longFile),
  LINES_ARE_SHORT(Tidiness::longLines),
  METHODS_ARE_SHORT(Tidiness::longMethods),
  METHODS_TAKE_FEW_PARAMETERS(Tidiness::manyParameters),
  NOTHING_IS_LEFT_FOR_LATER(Tidiness::leftForLater),
  NOTHING_IS_SWALLOWED(Tidiness::emptyCatches),
  RULES_AND_ENGINES_TAKE_NO_LOCKS(Tidiness::locksInside);

  private static final int MAX_FILE_LINES = 500;
  private static final int MAX_METHOD_LINES = 70;
  private static final int MAX_COLUMNS = 100;
  private static final int MAX_PARAMETERS = 4;

  @SuppressWarnings("ImmutableEnumChecker") // a lambda without state, but its type cannot say so
  private final Function<SourceFile, List<String>> check;

  Tidiness(Function<SourceFile, List<String>> check) {
    this.check = check;
  }

  List<String> violations(SourceFile file) {
    return check.apply(file);
  }

  private static List<String> longFile(SourceFile file) {
    long lines = file.text().lines().count();
    return lines <= MAX_FILE_LINES
        ? List.of()
        : List.of(
            "%s: %d lines; split it by subject, at most %d"
                .formatted(file.path(), lines, MAX_FILE_LINES));
  }

  /** Imports are exempt: they cannot be broken. */
  private static List<String> longLines(SourceFile file) {
    List<String> lines = file.text().lines().toList();
    return IntStream.range(0, lines.size())
        .filter(i -> lines.get(i).codePoints().count() > MAX_COLUMNS)
        .filter(i -> !lines.get(i).startsWith("import "))
        .mapToObj(i -> file.path() + ":" + (i + 1) + ": more than " + MAX_COLUMNS + " columns")
        .toList();
  }

  private static List<String> longMethods(SourceFile file) {
    List<String> violations = new ArrayList<>();
    for (MethodTree method : file.parts(MethodTree.class)) {
      long lines = file.line(file.end(method)) - file.line(file.start(method)) + 1;
      if (lines > MAX_METHOD_LINES) {
        violations.add(
            "%s: %s has %d lines; at most %d, extract what has a name"
                .formatted(file.at(method), method.getName(), lines, MAX_METHOD_LINES));
      }
    }
    return violations;
  }

  /** Exempt: constructors of records, which hold such lists, and overrides, which cannot choose. */
  private static List<String> manyParameters(SourceFile file) {
    List<String> violations = new ArrayList<>();
    for (ClassTree type : file.parts(ClassTree.class)) {
      for (MethodTree method : methods(type)) {
        boolean recordConstructor = type.getKind() == Tree.Kind.RECORD && isConstructor(method);
        int parameters = method.getParameters().size();
        if (parameters > MAX_PARAMETERS && !recordConstructor && !isOverride(method)) {
          violations.add(
              "%s: %s takes %d parameters; at most %d, then a record"
                  .formatted(file.at(method), method.getName(), parameters, MAX_PARAMETERS));
        }
      }
    }
    return violations;
  }

  private static List<MethodTree> methods(ClassTree type) {
    return type.getMembers().stream()
        .filter(MethodTree.class::isInstance)
        .map(MethodTree.class::cast)
        .toList();
  }

  private static boolean isConstructor(MethodTree method) {
    return method.getName().contentEquals("<init>");
  }

  private static boolean isOverride(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .map(AnnotationTree::getAnnotationType)
        .anyMatch(type -> type.toString().equals("Override"));
  }

  /** Checks code and comments but not string literals, which may mention the markers. */
  private static List<String> leftForLater(SourceFile file) {
    StringBuilder text = new StringBuilder(file.text());
    for (LiteralTree literal : file.parts(LiteralTree.class)) {
      int start = file.start(literal);
      int end = file.end(literal);
      text.replace(start, end, " ".repeat(end - start));
    }
    List<String> violations = new ArrayList<>();
    Matcher marker = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b").matcher(text);
    while (marker.find()) {
      violations.add(
          "%s:%d: %s; do it, or say it where work is planned"
              .formatted(file.path(), file.line(marker.start()), marker.group()));
    }
    return violations;
  }

  private static List<String> emptyCatches(SourceFile file) {
    return file.parts(CatchTree.class).stream()
        .filter(part -> part.getBlock().getStatements().isEmpty())
        .map(file::at)
        .map(at -> at + ": an exception is swallowed; handle it, report it or let it pass")
        .toList();
  }

  /** ArchUnit sees synchronized methods but not synchronized blocks. */
  private static List<String> locksInside(SourceFile file) {
    boolean lockFree =
        (file.packageName() + ".")
            .matches("dev\\.leasehold\\.kernel\\.(rules|engine|batches)\\..*");
    return file.parts(SynchronizedTree.class).stream()
        .filter(part -> lockFree && file.isMain())
        .map(file::at)
        .map(at -> at + ": a lock; a rule is a pure function, an engine has one thread at a time")
        .toList();
  }
}
