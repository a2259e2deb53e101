package dev.leasehold.server;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.testkit.model.ForwardingStore;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** A store that fails a number of commands on the keys that a test names. */
final class FaultyStore extends ForwardingStore {
  private final Map<LeaseKey, Integer> failing = new ConcurrentHashMap<>();

  FaultyStore(LeaseStore store) {
    super(store);
  }

  void fail(LeaseKey key, int times) {
    failing.put(key, times);
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    List<Boolean> failed = batch.stream().map(command -> takeFailure(command.key())).toList();
    List<Command> sound = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (!failed.get(i)) {
        sound.add(batch.get(i));
      }
    }
    return super.apply(sound).thenApply(outcomes -> merged(failed, outcomes.iterator()));
  }

  private boolean takeFailure(LeaseKey key) {
    Integer before = failing.computeIfPresent(key, (of, left) -> Math.max(-1, left - 1));
    return before != null && before >= 0;
  }

  private static List<Outcome> merged(List<Boolean> failed, Iterator<Outcome> sound) {
    return failed.stream()
        .map(
            fails ->
                fails ? new Outcome.Failed(Certainty.NOT_APPLIED, "for this test") : sound.next())
        .toList();
  }
}
