package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.interleaving.Explorer;
import dev.leasehold.store.jdbc.interleaving.Explorer.Bounds;
import dev.leasehold.store.jdbc.interleaving.Explorer.Explored;
import dev.leasehold.store.jdbc.interleaving.Explorer.WrongOrder;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Operations on one key, side by side on a real PostgreSQL, in every order of their statements,
 * commits and rollbacks. {@code -Dleasehold.order=acquire+delete@free:BAABA} runs one scene in one
 * order, and without the letters in every order, in which a wait for a lock may be given up.
 */
@Timeout(7_200)
class InterleavingsTest {
  private static final System.Logger LOG = System.getLogger(InterleavingsTest.class.getName());
  private static final String READ_COMMITTED = "read\\ committed";

  private static final Bounds IN_EVERY_BUILD = new Bounds(2, 0, 400);

  /** Three preemptions find every planted defect. */
  private static final Bounds IN_THE_PROOF = new Bounds(3, 0, 600);

  private static final Bounds WITH_A_TIMEOUT = new Bounds(1, 1, 300);
  private static final Bounds OF_THREE = new Bounds(1, 0, 150);

  /** The scenes that failed once, or would fail with one lock less. */
  private static final List<String> DANGEROUS =
      List.of(
          "acquire+acquire@absent",
          "acquire+acquire@expired",
          "acquire+renew@expired",
          "acquire+release@held",
          "acquire+purge@dead",
          "acquire+tidy@dead",
          "acquire+renew-waiting@expired",
          "acquire+delete@absent",
          "acquire+delete@free",
          "acquire+delete@expired",
          "acquire-two+delete@held",
          "acquire+delete-undone@free",
          "acquire+advance@absent",
          "acquire+advance@expired",
          "acquire+check@expired",
          "acquire+fragment@expired",
          "renew+check@held",
          "renew+revoke@held",
          "release+check@held",
          "release+fragment@held",
          "revoke+check@held",
          "check+advance@held",
          "purge+purge@dead",
          "purge+delete@dead",
          "purge+tidy@dead",
          "tidy+tidy@dead",
          "tidy+delete@dead",
          "close+tidy@dead",
          "acquire-two+purge@dead",
          "acquire-two+tidy@dead",
          "renew-waiting+revoke@held",
          "close+come-and-go@absent",
          "close+come-and-tidy@absent",
          "close-two+come-and-go@absent",
          "check+come-and-go@absent",
          "release+change@held",
          "change+advance@held");

  /** The third session delays a batch in the middle of its statement. */
  private static final List<String> DANGEROUS_OF_THREE =
      List.of("acquire-two+come-and-go+insert-second-undone@absent");

  @Test
  @Timeout(900)
  void the_known_dangerous_pairs_keep_the_invariants_in_every_order() throws Exception {
    try (OrderedStore store = OrderedStore.open(StoreStatements.asTheyAre())) {
      requireRight(run(DANGEROUS, store, IN_EVERY_BUILD));
      requireRight(run(DANGEROUS_OF_THREE, store, OF_THREE));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void every_pair_keeps_the_invariants_in_every_order() throws Exception {
    for (Operation first : operations()) {
      try (OrderedStore store = OrderedStore.open(StoreStatements.asTheyAre())) {
        requireRight(run(pairsOf(first, ""), store, IN_THE_PROOF));
      }
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void every_pair_does_so_where_a_wait_for_a_lock_is_given_up() throws Exception {
    for (Operation first : operations()) {
      try (OrderedStore store = OrderedStore.open(StoreStatements.asTheyAre())) {
        requireRight(run(pairsOf(first, ""), store, WITH_A_TIMEOUT));
      }
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void every_pair_does_so_above_read_committed() throws Exception {
    for (Operation first : operations()) {
      try (OrderedStore store = new OrderedStore("serializable", 2, StoreStatements.asTheyAre())) {
        requireRight(run(pairsOf(first, ""), store, IN_EVERY_BUILD));
      }
    }
  }

  /** Stopped in the middle of a statement, which has its snapshot and still lacks a lock. */
  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void every_pair_does_so_while_another_holds_a_lock_that_they_need() throws Exception {
    for (Operation first : operations()) {
      for (String locker : List.of("+lock-floor", "+lock-row", "+insert-undone")) {
        try (OrderedStore store = OrderedStore.open(StoreStatements.asTheyAre())) {
          requireRight(run(pairsOf(first, locker), store, OF_THREE));
        }
      }
    }
  }

  /** The same moves lead to the same states, so a failure can be reproduced. */
  @Test
  @Timeout(900)
  void an_order_can_be_run_again() throws Exception {
    try (OrderedStore store = OrderedStore.open(StoreStatements.asTheyAre())) {
      Explorer explorer = new Explorer(store.locks(), IN_EVERY_BUILD);
      Explored once = explorer.explore(LeaseScenario.named("acquire+purge@dead", store));
      Explored again = explorer.explore(LeaseScenario.named("acquire+purge@dead", store));
      assertThat(again).isEqualTo(once);
      assertThat(once.strayed()).isZero();
      assertThat(once.complete()).isTrue();
      assertThat(once.runs()).isGreaterThan(10);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.order", matches = ".+")
  void the_given_order_is_run_again() throws Exception {
    List<String> given = List.of(System.getProperty("leasehold.order", "").split(":", -1));
    String isolation = System.getProperty("leasehold.isolation", READ_COMMITTED);
    try (OrderedStore store = new OrderedStore(isolation, 3, StoreStatements.asTheyAre())) {
      LeaseScenario scenario = LeaseScenario.named(given.getFirst(), store);
      Explorer explorer = new Explorer(store.locks(), WITH_A_TIMEOUT);
      if (given.size() == 1) {
        LOG.log(Level.INFO, "{0}: {1}", scenario, explorer.explore(scenario));
      } else {
        explorer.replay(scenario, given.get(1));
      }
    }
  }

  private static List<Operation> operations() {
    return Arrays.stream(Operation.values()).filter(operation -> !operation.isLocker()).toList();
  }

  private static List<String> pairsOf(Operation first, String locker) {
    return operations().stream()
        .filter(second -> second.compareTo(first) >= 0)
        .flatMap(
            second ->
                Stream.of(Start.values()).map(start -> first + "+" + second + locker + "@" + start))
        .toList();
  }

  /** The failures, with the command that reproduces each. */
  private static List<String> run(List<String> scenarios, OrderedStore store, Bounds bounds)
      throws Exception {
    List<String> wrong = new ArrayList<>();
    int runs = 0;
    int cutOff = 0;
    for (String name : scenarios) {
      LeaseScenario scenario = LeaseScenario.named(name, store);
      try {
        Explored explored = new Explorer(store.locks(), bounds).explore(scenario);
        runs += explored.runs();
        cutOff += explored.complete() ? 0 : 1;
        LOG.log(Level.DEBUG, "{0}: {1}", name, explored);
      } catch (WrongOrder e) {
        wrong.add(report(name, e));
        LOG.log(Level.WARNING, report(name, e));
      }
    }
    LOG.log(
        Level.INFO,
        "{0} scenes, {1} orders; {2} scenes have more within {3} preemptions than are run",
        scenarios.size(),
        runs,
        cutOff,
        bounds.preemptions());
    return wrong;
  }

  private static String report(String scenario, WrongOrder wrong) {
    return scenario
        + " "
        + wrong.getMessage()
        + "\nrun it again: mvn -pl store-jdbc -am test -Dtest=InterleavingsTest"
        + " -Dsurefire.failIfNoSpecifiedTests=false '-Dleasehold.order="
        + scenario
        + ":"
        + wrong.order()
        + "'\n";
  }

  private static void requireRight(List<String> wrong) {
    assertThat(wrong).as(String.join("\n", wrong)).isEmpty();
  }
}
