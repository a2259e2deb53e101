package dev.leasehold.blocks.locks;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.WorkResult;
import dev.leasehold.kernel.model.LeaseCharter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A number of permits under one name, of which a caller gets any one: {@code permit/NAME/0} and so
 * on, each a lease with its own token. So each is fenced separately and has one holder.
 *
 * <p>A caller tries the slots one after the other, from a random one on, since a caller that tried
 * all at once might get several. Only when all are held does it wait for all of them: in each
 * process the first waiter asks for each slot, as for any other key.
 *
 * <p>Each process states the number of permits. While processes with different numbers run, the
 * greatest number applies.
 */
public final class Permits {
  public static final String KIND = "permit";
  public static final int MAX_COUNT = 64;

  private final Leases leases;
  private final String name;
  private final int count;
  private final UnaryOperator<LeaseRequest> refinement;
  private final SecureRandom random = new SecureRandom();

  private Permits(Leases leases, String name, int count, UnaryOperator<LeaseRequest> refinement) {
    this.leases = leases;
    this.name = name;
    this.count = count;
    this.refinement = refinement;
  }

  static Permits of(Leases leases, String name, int count) {
    if (count < 1 || count > MAX_COUNT) {
      throw new IllFormedException(count + " permits: there are 1 to " + MAX_COUNT);
    }
    LeaseCharter unused = leases.attach(charter());
    return new Permits(leases, name, count, UnaryOperator.identity());
  }

  /** The default charter of permits; the user adds targets. */
  public static LeaseCharter charter() {
    return LeaseCharter.of(
        KIND, LeaseCharter.Payload.CAPACITY, "one of as many places as the name has permits");
  }

  /** The same permits, asked for with more: for how long, which targets to seal. */
  public Permits refined(UnaryOperator<LeaseRequest> how) {
    return new Permits(leases, name, count, request -> how.apply(refinement.apply(request)));
  }

  /** Takes a permit if one is free. Else names the holder whose permit expires first. */
  public Acquisition tryAcquire() throws InterruptedException {
    return new SlotSearch(leases, requestsFromARandomOne()).probe();
  }

  /** Takes a permit, and waits for one up to this time. */
  public Acquisition acquire(Duration wait) throws InterruptedException {
    SlotSearch search = new SlotSearch(leases, requestsFromARandomOne());
    Acquisition probed = search.probe();
    return wait.isPositive() && SlotSearch.mayComeToBe(probed) ? search.await(wait) : probed;
  }

  /** Runs work on this thread if a permit is free, else skips it. */
  public WorkResult<Token> runIfFree(Locks.Task task) throws Exception {
    return run(Duration.ZERO, task);
  }

  /** Runs work on this thread under a permit; skips it if the wait takes longer than this. */
  public WorkResult<Token> run(Duration wait, Locks.Task task) throws Exception {
    return call(wait, Locks.Task.tellingItsToken(task));
  }

  /** The same for work that has a result. */
  public <T> WorkResult<T> call(Duration wait, WorkResult.Work<T> work) throws Exception {
    return switch (acquire(wait)) {
      case Acquisition.NotAcquired why -> new WorkResult.NotHeld<>(why);
      case Acquisition.Acquired acquired -> acquired.lease().whileHeld(LockAssert.around(work));
    };
  }

  static boolean isSlotOf(String name, LeaseKey key) {
    int slash = key.name().lastIndexOf('/');
    return slash >= 0 && key.name().substring(0, slash).equals(name);
  }

  private LeaseKey key(int slot) {
    return LeaseKey.of(KIND, name + "/" + slot);
  }

  /** From a random slot on, so that processes do not all compete for the first. */
  private List<LeaseRequest> requestsFromARandomOne() {
    int first = random.nextInt(count);
    return IntStream.range(0, count)
        .mapToObj(i -> refinement.apply(LeaseRequest.of(key((first + i) % count))))
        .toList();
  }
}
