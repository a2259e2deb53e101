package dev.leasehold.testkit.defects;

import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.testkit.defects.Defect.Reach;
import dev.leasehold.testkit.model.ForwardingStore;
import dev.leasehold.testkit.model.Rules;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** What can go wrong around the rules: in batches, listings, sweeps and watches. */
final class StoreDefects {
  private StoreDefects() {}

  static Stream<Defect> all() {
    return Stream.of(
        Defect.inStore(
            "a batch is carried out in reverse", Reversing::new, Reach.SUITE_AND_DIFFERENTIAL),
        Defect.inStore(
            "a rejected command spoils its batch", Spoiling::new, Reach.SUITE_AND_DIFFERENTIAL),
        Defect.inStore(
            "a page that is not the last misses an item",
            Skipping::new,
            Reach.SUITE_AND_DIFFERENTIAL),
        Defect.inStore("a prefix is a pattern", Matching::new, Reach.SUITE_ALONE),
        Defect.inStore("a watch is told of every key", Gossiping::new, Reach.SUITE_ALONE),
        Defect.inStore("a sweep purges more than it may", Sweeping::new, Reach.SUITE_ALONE),
        Defect.inStore(
            "an advance does not hold off for as long as a holder was told",
            Hurrying::new,
            Reach.SUITE_AND_DIFFERENTIAL));
  }

  /** None: how many endings are remembered is a lower bound. */
  static Defect remembersMore() {
    Limits more = new Limits(Limits.SINGLE_NODE.skewMillis(), Limits.MIN_MEMORY_MILLIS, 1_000);
    return new Defect(
        "remembers more endings than it must",
        Rules.sound(),
        Modest::new,
        Reach.SUITE_AND_DIFFERENTIAL,
        more);
  }

  /** None: the words for the hold-off are the store's own. */
  static Defect wordsItsHoldOff() {
    return Defect.inStore(
        "words the hold-off in its own way", Wording::new, Reach.SUITE_AND_DIFFERENTIAL);
  }

  private static final class Wording extends ForwardingStore {
    Wording(LeaseStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return super.apply(batch)
          .thenApply(outcomes -> outcomes.stream().map(Wording::worded).toList());
    }

    private static Outcome worded(Outcome outcome) {
      return outcome instanceof Outcome.Closed closed && closed.reason().contains("incarnation")
          ? new Outcome.Closed("come back later", closed.remainingMillis())
          : outcome;
    }
  }

  private static final class Modest extends ForwardingStore {
    Modest(LeaseStore sound) {
      super(sound);
    }

    @Override
    public Limits limits() {
      return Limits.SINGLE_NODE;
    }
  }

  private static final class Reversing extends ForwardingStore {
    Reversing(LeaseStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return super.apply(batch.reversed()).thenApply(List::reversed);
    }
  }

  private static final class Spoiling extends ForwardingStore {
    Spoiling(LeaseStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return super.apply(batch).thenApply(Spoiling::spoilt);
    }

    private static List<Outcome> spoilt(List<Outcome> outcomes) {
      Optional<Outcome> rejected =
          outcomes.stream().filter(Outcome.Rejected.class::isInstance).findFirst();
      return rejected.map(one -> outcomes.stream().map(o -> one).toList()).orElse(outcomes);
    }
  }

  private static final class Skipping extends ForwardingStore {
    Skipping(LeaseStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<LeasePage> list(ListQuery query) {
      return super.list(query)
          .thenApply(
              page ->
                  page.next().isEmpty()
                      ? page
                      : new LeasePage(
                          page.items().subList(0, page.items().size() - 1), page.next()));
    }
  }

  private static final class Matching extends ForwardingStore {
    Matching(LeaseStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<LeasePage> list(ListQuery query) {
      String pattern = query.prefix().replaceAll("[^a-zA-Z_%/]", "_");
      int wild = Math.max(pattern.indexOf('_'), pattern.indexOf('%'));
      String prefix = wild < 0 ? query.prefix() : query.prefix().substring(0, wild);
      return super.list(new ListQuery(prefix, query.after(), query.limit()));
    }
  }

  private static final class Gossiping extends ForwardingStore {
    Gossiping(LeaseStore sound) {
      super(sound);
    }

    @Override
    public Subscription watch(String prefix, ChangeListener<LeaseChange> listener) {
      return super.watch("", listener);
    }
  }

  private static final class Sweeping extends ForwardingStore {
    Sweeping(LeaseStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<PurgeReport> purge(PurgeQuery query) {
      return super.purge(new PurgeQuery(query.deadForMillis(), ListQuery.MAX_LIMIT));
    }
  }

  private static final class Hurrying extends ForwardingStore {
    Hurrying(LeaseStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<Advance.Outcome> advance(Advance advance) {
      long holdOffMillis = advance.holdOffMillis().orElse(Limits.MIN_HOLD_OFF_MILLIS);
      return super.advance(
          new Advance(advance.above(), advance.witness(), OptionalLong.of(holdOffMillis)));
    }
  }
}
