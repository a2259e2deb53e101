package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.RequestMemory;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Reads the record, decides by the rules, and writes: without a lock from the one to the other. */
final class UnlockedStore extends BrokenStore {
  private final InstantSource clock;
  private final StoreIncarnation storeIncarnation;
  private final Map<LeaseKey, LeaseRecord> records = new ConcurrentHashMap<>();
  private final Map<Remembered.Request, Remembered> effects = new ConcurrentHashMap<>();

  UnlockedStore(InstantSource clock) {
    super(clock);
    this.clock = clock;
    this.storeIncarnation = StoreIncarnation.first(clock.millis());
  }

  @Override
  Outcome carryOut(Command command) {
    LeaseRecord record =
        records.getOrDefault(
            command.key(), LeaseRecord.blank(command.key(), storeIncarnation.floor()));
    KeyState state = new KeyState(record, storeIncarnation, memory());
    Decision decision = LeaseRules.decide(state, command, clock.millis(), Limits.SINGLE_NODE);
    RaceFixture.letOthersRun();
    if (decision.effect() instanceof Decision.Put put) {
      records.put(command.key(), put.record());
      put.remembered().ifPresent(effect -> effects.put(effect.request(), effect));
    }
    return decision.outcome();
  }

  private RequestMemory memory() {
    return new RequestMemory() {
      @Override
      public Optional<Remembered> effectOf(Remembered.Request request) {
        return Optional.ofNullable(effects.get(request));
      }

      @Override
      public Optional<LossReason> endOf(Token token) {
        return Optional.empty();
      }
    };
  }
}
