package dev.leasehold.testkit.random;

import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Where a test's randomness comes from: {@code -Dleasehold.seed=N} when a failure is to be seen
 * again, else a new one, printed.
 */
public record Seed(long value) {
  private static final System.Logger LOG = System.getLogger(Seed.class.getName());
  private static final String PROPERTY = "leasehold.seed";

  public static Seed forTest(String what) {
    String given = System.getProperty(PROPERTY, "");
    long value = given.isBlank() ? new SecureRandom().nextLong() : Long.parseLong(given.strip());
    LOG.log(Level.INFO, "{0}: seed {1}", what, Long.toString(value));
    return new Seed(value);
  }

  /** Independent seeds from one: the nth is the same whenever this one is. */
  public Seed nth(int n) {
    SplittableRandom random = new SplittableRandom(value + 0x9E3779B97F4A7C15L * (n + 1));
    return new Seed(random.nextLong());
  }

  public SplittableRandom random() {
    return new SplittableRandom(value);
  }

  /** Some of many, each at most once, in an order of their own. */
  public <T> List<T> some(int count, List<T> many) {
    List<T> left = new ArrayList<>(many);
    SplittableRandom random = random();
    List<T> drawn = new ArrayList<>();
    while (drawn.size() < count && !left.isEmpty()) {
      drawn.add(left.remove(random.nextInt(left.size())));
    }
    return List.copyOf(drawn);
  }

  /** What to add to the command line to get the same run. */
  @Override
  public String toString() {
    return "-D" + PROPERTY + "=" + value;
  }
}
