package dev.leasehold.verification.linearizability;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.Ending;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.RequestMemory;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rules, applied to a map without any lock. Used by one thread it is the specification of a
 * store. Used by several it is the classic mistake, since the state can change between reading,
 * deciding and writing, so it is also the canary.
 */
public final class RulesOverMap extends StoreOperations {
  private final StoreIncarnation storeIncarnation = StoreIncarnation.first(Operands.CLOCK.millis());
  private final Map<LeaseKey, LeaseRecord> records = new ConcurrentHashMap<>();
  private final Map<LeaseKey, Everything> memories = new ConcurrentHashMap<>();

  /** Forgets nothing, which in a short scenario is no difference. */
  private static final class Everything implements RequestMemory {
    private final Map<Remembered.Request, Remembered> effects = new ConcurrentHashMap<>();
    private final Map<Token, Ending> endings = new ConcurrentHashMap<>();

    @Override
    public Optional<Remembered> effectOf(Remembered.Request request) {
      return Optional.ofNullable(effects.get(request));
    }

    @Override
    public Optional<LossReason> endOf(Token token) {
      return Optional.ofNullable(endings.get(token)).map(Ending::reason);
    }
  }

  @Override
  protected Outcome apply(Command command) {
    LeaseKey key = command.key();
    Everything memory = memories.computeIfAbsent(key, k -> new Everything());
    LeaseRecord record =
        records.getOrDefault(key, LeaseRecord.blank(key, storeIncarnation.floor()));
    KeyState state = new KeyState(record, storeIncarnation, memory);
    Decision decision =
        LeaseRules.decide(state, command, Operands.CLOCK.millis(), Limits.SINGLE_NODE);
    if (decision.effect() instanceof Decision.Put put) {
      records.put(key, put.record());
      put.remembered().ifPresent(effect -> memory.effects.put(effect.request(), effect));
      put.ending().ifPresent(ending -> memory.endings.put(ending.token(), ending));
    }
    return decision.outcome();
  }

  @Override
  protected Optional<LeaseRecord> look(int key) {
    return Optional.ofNullable(records.get(Operands.KEYS.get(key)));
  }
}
