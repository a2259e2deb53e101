package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.rules.OneKey.INCARNATION;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Well-formed commands of every kind, from few enough actors and tokens that they meet. */
final class RandomCommands {
  private static final System.Logger LOG = System.getLogger(RandomCommands.class.getName());
  private static final List<Actor> ACTORS = List.of(Actor.ANNA, Actor.BEN, Actor.CLEO);
  private static final long[] TTLS = {200, 5_000, 30_000, Limits.MAX_TTL_MILLIS};

  private final SplittableRandom random;

  RandomCommands(SplittableRandom random) {
    this.random = random;
  }

  /**
   * The seed from {@code -Dleasehold.seed=N}, to repeat a failure, or else a new one, which is
   * printed.
   */
  static long seed(String what) {
    String given = System.getProperty("leasehold.seed", "");
    long seed = given.isBlank() ? new SecureRandom().nextLong() : Long.parseLong(given.strip());
    LOG.log(Level.INFO, "{0}: -Dleasehold.seed={1}", what, Long.toString(seed));
    return seed;
  }

  Command any() {
    return switch (random.nextInt(13)) {
      case 0, 1, 2 -> acquire();
      case 3 -> actor().abandon(requestId());
      case 4, 5 -> renew();
      case 6 -> actor().release(token(), requestId());
      case 7 -> handOver();
      case 8 -> revoke();
      case 9 -> new Command.Reopen(KEY, operator(), new RequestId(requestId()));
      case 10 -> new Command.EndStalled(KEY, token());
      case 11 -> new Command.EndExpired(KEY, token());
      default -> new Command.Purge(KEY, random.nextLong(2 * Limits.MIN_MEMORY_MILLIS));
    };
  }

  private Command acquire() {
    Actor actor = actor();
    StallLimit limit = new StallLimit(random.nextBoolean() ? 0 : 1 + random.nextLong(40_000));
    Terms terms = actor.terms(ttl()).withStallLimit(limit);
    Command.Acquire acquire = actor.acquire(requestId(), terms);
    return random.nextInt(4) == 0 ? acquire.expecting(actor().id(), token()) : acquire;
  }

  private Command renew() {
    Actor actor = actor();
    OptionalLong ttl = random.nextBoolean() ? OptionalLong.of(ttl()) : OptionalLong.empty();
    return new Command.Renew(KEY, token(), actor.instance(), ttl, random.nextLong(20));
  }

  private Command handOver() {
    int giver = random.nextInt(ACTORS.size());
    int heir = (giver + 1 + random.nextInt(ACTORS.size() - 1)) % ACTORS.size();
    return ACTORS.get(giver).hands(token(), requestId()).to(ACTORS.get(heir));
  }

  private Command revoke() {
    Command.Reopening[] all = Command.Reopening.values();
    return new Command.Revoke(
        KEY,
        operator(),
        new Explanation("random"),
        all[random.nextInt(all.length)],
        new RequestId(requestId()));
  }

  Actor actor() {
    return ACTORS.get(random.nextInt(ACTORS.size()));
  }

  /** One of the first tokens of three incarnations. */
  Token token() {
    return Token.of(INCARNATION + random.nextInt(3), random.nextInt(40));
  }

  private Operator operator() {
    return random.nextBoolean() ? OneKey.OLGA : new Operator("omar");
  }

  private String requestId() {
    return "r" + random.nextInt(30);
  }

  long ttl() {
    return TTLS[random.nextInt(TTLS.length)];
  }
}
