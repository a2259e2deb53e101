package dev.leasehold.testkit.defects;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.contract.ClockedStore;
import dev.leasehold.testkit.contract.StoreUnderTest;
import dev.leasehold.testkit.model.ModelLeaseStore;
import dev.leasehold.testkit.model.ModelStore;
import dev.leasehold.testkit.model.Rules;
import dev.leasehold.testkit.time.ManualClock;
import java.util.function.UnaryOperator;

/**
 * A store with one thing wrong.
 *
 * @param name what is wrong, as a reader of the table sees it
 * @param rules what it decides by
 * @param store what is put around the store
 * @param reach who is expected to see it
 * @param limits what it decides with, whatever it tells
 */
record Defect(
    String name, Rules rules, UnaryOperator<LeaseStore> store, Reach reach, Limits limits) {
  /** Who can see a defect. */
  enum Reach {
    SUITE_AND_DIFFERENTIAL,
    /** Nothing that the differential does comes near it. */
    SUITE_ALONE
  }

  static Defect inRules(String name, Rules rules) {
    return new Defect(
        name, rules, UnaryOperator.identity(), Reach.SUITE_AND_DIFFERENTIAL, Limits.SINGLE_NODE);
  }

  /** One that only shows in what watchers see. */
  static Defect inRulesForTheSuite(String name, Rules rules) {
    return new Defect(name, rules, UnaryOperator.identity(), Reach.SUITE_ALONE, Limits.SINGLE_NODE);
  }

  static Defect inStore(String name, UnaryOperator<LeaseStore> store, Reach reach) {
    return new Defect(name, Rules.sound(), store, reach, Limits.SINGLE_NODE);
  }

  StoreUnderTest open(long startMillis) {
    ManualClock clock = new ManualClock(startMillis);
    ModelStore model = new ModelStore(rules, limits, startMillis);
    return new ClockedStore(store.apply(new ModelLeaseStore(model, clock)), clock);
  }

  @Override
  public String toString() {
    return name;
  }
}
