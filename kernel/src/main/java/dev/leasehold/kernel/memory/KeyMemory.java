package dev.leasehold.kernel.memory;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.rules.Ending;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.RequestMemory;
import dev.leasehold.kernel.spi.Limits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the memory store remembers of one key: requests for a limited time, and a limited number of
 * ended grants. Guarded by the lock of the object that owns it.
 */
final class KeyMemory implements RequestMemory {
  private final Map<Remembered.Request, Remembered> effects = new HashMap<>();
  private final Deque<Remembered> oldestFirst = new ArrayDeque<>();
  private final Deque<Ending> endings = new ArrayDeque<>();

  @Override
  public Optional<Remembered> effectOf(Remembered.Request request) {
    return Optional.ofNullable(effects.get(request));
  }

  @Override
  public Optional<LossReason> endOf(Token token) {
    return endings.stream().filter(e -> e.token().equals(token)).map(Ending::reason).findFirst();
  }

  void remember(Remembered effect) {
    effects.put(effect.request(), effect);
    oldestFirst.addLast(effect);
  }

  void remember(Ending ending, Limits limits) {
    endings.addFirst(ending);
    while (endings.size() > limits.endingsKept()) {
      endings.removeLast();
    }
  }

  /** Forgets requests that are too old to be repeated. */
  void forget(long nowMillis, Limits limits) {
    while (!oldestFirst.isEmpty()
        && nowMillis - oldestFirst.getFirst().atMillis() > limits.memoryMillis()) {
      Remembered old = oldestFirst.removeFirst();
      effects.remove(old.request(), old);
    }
  }
}
