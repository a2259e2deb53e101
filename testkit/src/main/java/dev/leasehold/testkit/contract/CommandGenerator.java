package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.model.ModelStore;
import dev.leasehold.testkit.suite.RecentRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Draws commands: mostly what holders and operators would send, and all that they should not. */
final class CommandGenerator {
  private static final LeaseKey FIRST = new LeaseKey("shard/7");
  private static final List<LeaseKey> KEYS =
      List.of(
          FIRST,
          PurgingContract.neighbourOf(FIRST),
          new LeaseKey("leader/a"),
          new LeaseKey("leader/A"));
  private static final List<Instance> INSTANCES =
      IntStream.rangeClosed(1, 4).mapToObj(ContractCallers::instance).toList();
  private static final List<Operator> OPERATORS =
      List.of(new Operator("olga"), new Operator("otto"));
  private static final List<Command.Reopening> REOPENINGS = List.of(Command.Reopening.values());
  private static final long[] TTLS = {200, 1_000, 5_000, 30_000, 45_000, 3_600_000};
  private static final long[] STALL_LIMITS = {0, 0, 0, 500, 3_000, 20_000};

  private final SplittableRandom random;
  private final ModelStore model;
  private final RecentRequests<Command> recent;
  private final List<Token> issued = new ArrayList<>();
  private long clockMillis;
  private int requests;

  CommandGenerator(SplittableRandom random, ModelStore model) {
    this.random = random;
    this.model = model;
    this.recent = new RecentRequests<>(random);
  }

  List<LeaseKey> keys() {
    return KEYS;
  }

  void clockMovedTo(long millis) {
    recent.clockMovedTo(millis);
  }

  /** Commands for one batch; most of them on one key, so that they meet. */
  List<Command> batch(int size, long nowMillis) {
    clockMillis = nowMillis;
    LeaseKey main = any(KEYS);
    List<Command> batch = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      batch.add(command(random.nextInt(10) < 6 ? main : any(KEYS)));
    }
    return batch;
  }

  private Command command(LeaseKey key) {
    Optional<Command> again = random.nextInt(100) < 14 ? recent.any() : Optional.empty();
    if (again.isPresent()) {
      return again.get();
    }
    int dice = random.nextInt(100);
    if (dice < 30) {
      return acquire(key);
    }
    if (dice < 36) {
      return abandon(key);
    }
    if (dice < 62) {
      return renew(key);
    }
    if (dice < 75) {
      return sent(new Command.Release(key, token(key), instance(key), newRequest()));
    }
    if (dice < 82) {
      return handOver(key);
    }
    return operatorsCommand(key, dice);
  }

  private Command operatorsCommand(LeaseKey key, int dice) {
    if (dice < 89) {
      Explanation why = new Explanation("why " + random.nextInt(3));
      Command.Reopening reopening = any(REOPENINGS);
      return sent(new Command.Revoke(key, any(OPERATORS), why, reopening, newRequest()));
    }
    if (dice < 94) {
      return sent(new Command.Reopen(key, any(OPERATORS), newRequest()));
    }
    if (dice < 96) {
      return new Command.EndStalled(key, token(key));
    }
    if (dice < 98) {
      return new Command.EndExpired(key, token(key));
    }
    return new Command.Purge(key, random.nextInt(3) == 0 ? random.nextLong(3_600_000) : 0);
  }

  private Command acquire(LeaseKey key) {
    Instance instance = any(INSTANCES);
    Optional<Command.Acquire> borrowed =
        random.nextInt(20) == 0 ? acquireOf(key) : Optional.empty();
    RequestId request = borrowed.map(Command.Acquire::requestId).orElseGet(this::newRequest);
    Command.Acquire acquire = Command.Acquire.of(key, instance, request, terms(instance));
    if (random.nextInt(4) == 0) {
      acquire = acquire.expecting(instance(key).id(), token(key));
    }
    Command.Acquire drawn = acquire;
    return borrowed.map(source -> recent.addLike(source, drawn)).orElseGet(() -> sent(drawn));
  }

  private Terms terms(Instance instance) {
    HolderInfo info = HolderInfo.named(ContractCallers.nameOf(instance));
    if (random.nextInt(4) == 0) {
      Map<String, String> notes = Map.of("note", "n" + random.nextInt(10));
      info = new HolderInfo(info.holder(), "purpose", "region", notes);
    }
    return new Terms(
        info, ttlMillis(), new StallLimit(STALL_LIMITS[random.nextInt(STALL_LIMITS.length)]));
  }

  private long ttlMillis() {
    return switch (random.nextInt(40)) {
      case 0 -> model.limits().minTtlMillis() - 1;
      case 1 -> Limits.MAX_TTL_MILLIS + 1;
      case 2 -> random.nextLong(-5, 200);
      case 3 -> random.nextLong(Limits.MAX_TTL_MILLIS);
      default -> Math.max(model.limits().minTtlMillis(), TTLS[random.nextInt(TTLS.length)]);
    };
  }

  /** Of a request that was sent, or of one that is still in flight and will come too late. */
  private Command abandon(LeaseKey key) {
    Optional<Command.Acquire> known = random.nextInt(4) > 0 ? acquireOf(key) : Optional.empty();
    Command.Acquire acquire =
        known.orElseGet(
            () -> {
              Instance instance = any(INSTANCES);
              return Command.Acquire.of(key, instance, newRequest(), terms(instance));
            });
    if (known.isEmpty()) {
      recent.add(acquire, clockMillis);
    }
    return recent.addLike(
        acquire, new Command.Abandon(key, acquire.instance(), acquire.requestId()));
  }

  private Command renew(LeaseKey key) {
    long mark = grant(key).map(grant -> grant.progress().mark()).orElse(0L);
    long progress = Math.max(0, mark + random.nextInt(-2, 3));
    OptionalLong ttl = random.nextInt(3) == 0 ? OptionalLong.of(ttlMillis()) : OptionalLong.empty();
    return new Command.Renew(key, token(key), instance(key), ttl, progress);
  }

  private Command handOver(LeaseKey key) {
    Instance giver = instance(key);
    Instance heir = any(INSTANCES.stream().filter(other -> !other.equals(giver)).toList());
    Command.Heir named = new Command.Heir(ContractCallers.nameOf(heir), heir.id());
    return sent(new Command.HandOver(key, token(key), giver, newRequest(), named));
  }

  private Optional<Command.Acquire> acquireOf(LeaseKey key) {
    List<Command.Acquire> acquires =
        recent.latestFirst().stream()
            .filter(command -> command.key().equals(key))
            .filter(Command.Acquire.class::isInstance)
            .map(Command.Acquire.class::cast)
            .toList();
    return acquires.isEmpty()
        ? Optional.empty()
        : Optional.of(acquires.get(random.nextInt(Math.min(acquires.size(), 6))));
  }

  private <T extends Command> T sent(T command) {
    return recent.add(command, clockMillis);
  }

  private RequestId newRequest() {
    return new RequestId("r" + ++requests);
  }

  private Optional<Grant> grant(LeaseKey key) {
    return record(key).flatMap(LeaseRecord::grant);
  }

  private Optional<LeaseRecord> record(LeaseKey key) {
    return model.read(key, clockMillis).map(LeaseReading::record);
  }

  /** Mostly whose the key is. */
  private Instance instance(LeaseKey key) {
    Optional<InstanceId> holder = grant(key).map(Grant::instanceId);
    return random.nextInt(10) == 0
        ? any(INSTANCES)
        : INSTANCES.stream()
            .filter(instance -> holder.filter(instance.id()::equals).isPresent())
            .findFirst()
            .orElseGet(() -> any(INSTANCES));
  }

  /** Mostly the right token; else void, next, old, another key's, or invented. */
  private Token token(LeaseKey key) {
    Optional<Grant> grant = grant(key);
    grant.ifPresent(found -> issued.add(found.token()));
    int dice = random.nextInt(100);
    if (dice < 70 && grant.isPresent()) {
      return grant.get().token();
    }
    Optional<Token> last = record(key).map(LeaseRecord::last);
    if (dice < 82 && last.isPresent()) {
      Token top = last.get();
      return dice < 75 ? top : top.next(model.storeIncarnation().incarnation());
    }
    if (dice < 92 && !issued.isEmpty()) {
      return any(issued.subList(Math.max(0, issued.size() - 200), issued.size()));
    }
    return Token.of(random.nextInt(Token.MAX_INCARNATION + 1), 1 + random.nextInt(20));
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
