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

  /** A dependency of one package on another, named without the common root. */
  record Edge(String from, String to) {
    @Override
    public String toString() {
      return from + " -> " + to;
    }
  }

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

  /** Every dependency whose target leads back to its source, without the exempted ones. */
  Set<String> closingCycles(Set<Edge> exempted) {
    return uses.entrySet().stream()
        .flatMap(entry -> entry.getValue().stream().map(to -> new Edge(entry.getKey(), to)))
        .filter(edge -> !exempted.contains(edge))
        .filter(edge -> reachable(edge.to(), exempted).contains(edge.from()))
        .map(Edge::toString)
        .collect(toCollection(TreeSet::new));
  }

  /** Whether the packages would have a cycle through this dependency if it alone were allowed. */
  boolean isNeeded(Edge edge, Set<Edge> exempted) {
    return uses.getOrDefault(edge.from(), Set.of()).contains(edge.to())
        && reachable(edge.to(), exempted).contains(edge.from());
  }

  private Set<String> reachable(String start, Set<Edge> exempted) {
    Set<String> seen = new HashSet<>(Set.of(start));
    Deque<String> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      String from = next.pop();
      for (String to : uses.getOrDefault(from, Set.of())) {
        if (!exempted.contains(new Edge(from, to)) && seen.add(to)) {
          next.push(to);
        }
      }
    }
    return seen;
  }
}
