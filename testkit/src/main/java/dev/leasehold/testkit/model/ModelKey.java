package dev.leasehold.testkit.model;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.rules.Ending;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.RequestMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a model store has on one key. Endings are kept for ever, and shown as bounded.
 */
final class ModelKey {
  LeaseRecord record;
  private final Map<Remembered.Request, Remembered> effects;
  private final List<Ending> endings;

  ModelKey(LeaseRecord record) {
    this(record, Map.of(), List.of());
  }

  private ModelKey(
      LeaseRecord record, Map<Remembered.Request, Remembered> effects, List<Ending> endings) {
    this.record = record;
    this.effects = new LinkedHashMap<>(effects);
    this.endings = new ArrayList<>(endings);
  }

  ModelKey copy() {
    return new ModelKey(record, effects, endings);
  }

  void remember(Remembered effect) {
    effects.put(effect.request(), effect);
  }

  void remember(Ending ending) {
    endings.add(ending);
  }

  void forgetRequestsBefore(long millis) {
    effects.values().removeIf(effect -> effect.atMillis() < millis);
  }

  /** The end of any earlier grant, however long ago. */
  Optional<LossReason> trueEndOf(Token token) {
    return endOf(token, endings);
  }

  /** What a store that remembers so many endings, and no more, can tell. */
  RequestMemory remembering(int endingsKept) {
    int forgotten = Math.max(0, endings.size() - endingsKept);
    List<Ending> kept = endings.subList(forgotten, endings.size());
    return new RequestMemory() {
      @Override
      public Optional<Remembered> effectOf(Remembered.Request request) {
        return Optional.ofNullable(effects.get(request));
      }

      @Override
      public Optional<LossReason> endOf(Token token) {
        return ModelKey.endOf(token, kept);
      }
    };
  }

  private static Optional<LossReason> endOf(Token token, List<Ending> among) {
    return among.stream().filter(e -> e.token().equals(token)).map(Ending::reason).findFirst();
  }
}
