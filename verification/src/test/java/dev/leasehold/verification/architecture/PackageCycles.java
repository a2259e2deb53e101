package dev.leasehold.verification.architecture;

import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which packages depend on which, and the dependencies that close a cycle. */
final class PackageCycles {
  private static final String ROOT = "dev.leasehold.";

  private final Map<String, Set<String>> uses = new TreeMap<>();

  PackageCycles(JavaClasses classes) {
    for (JavaClass type : classes) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String from = dependency.getOriginClass().getPackageName();
        String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
        if (!from.equals(to) && from.startsWith(ROOT) && to.startsWith(ROOT)) {
          uses.computeIfAbsent(name(from), unused -> new TreeSet<>()).add(name(to));
        }
      }
    }
  }

  private static String name(String packageName) {
    return packageName.substring(ROOT.length());
  }

  /** Every dependency whose target leads back to its source. */
  Set<String> closingCycles() {
    return uses.entrySet().stream()
        .flatMap(
            entry ->
                entry.getValue().stream()
                    .filter(to -> reachable(to).contains(entry.getKey()))
                    .map(to -> entry.getKey() + " -> " + to))
        .collect(toCollection(TreeSet::new));
  }

  private Set<String> reachable(String start) {
    Set<String> seen = new HashSet<>(Set.of(start));
    Deque<String> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      for (String to : uses.getOrDefault(next.pop(), Set.of())) {
        if (seen.add(to)) {
          next.push(to);
        }
      }
    }
    return seen;
  }
}
