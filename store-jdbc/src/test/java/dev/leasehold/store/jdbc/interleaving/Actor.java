package dev.leasehold.store.jdbc.interleaving;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** One session: its work runs on a thread of its own, and stops before each step. */
public final class Actor {
  private static final ThreadLocal<Optional<Actor>> CURRENT =
      ThreadLocal.withInitial(Optional::empty);

  private final char name;
  private final Work work;
  private final BlockingQueue<Boolean> permissions = new LinkedBlockingQueue<>();
  private volatile Optional<String> ending = Optional.empty();
  private volatile boolean abandoned;

  // Set and read by the actor's own thread.
  private Optional<BlockingQueue<Arrival>> arrivals = Optional.empty();

  /**
   * @param name a capital letter, with which orders are written
   */
  public Actor(char name, Work work) {
    this.name = name;
    this.work = work;
  }

  /** What an actor does, on connections that are gates. */
  public interface Work {
    void run() throws Exception;
  }

  /** Where an actor has got to. */
  sealed interface Arrival {
    Actor actor();

    /** About to send this statement on the backend with this process id. */
    record AtStep(Actor actor, String step, int backend) implements Arrival {}

    /** Its work is over. */
    record Ended(Actor actor, Optional<Throwable> failure) implements Arrival {}
  }

  /** The actor whose work runs on this thread; empty on threads that are not part of an order. */
  static Optional<Actor> current() {
    return CURRENT.get();
  }

  public char name() {
    return name;
  }

  void start(BlockingQueue<Arrival> arrivals) {
    Thread.ofPlatform()
        .daemon()
        .name("actor-" + name)
        .start(
            () -> {
              CURRENT.set(Optional.of(this));
              Optional<Throwable> failure = Optional.empty();
              this.arrivals = Optional.of(arrivals);
              try {
                work.run();
              } catch (Throwable e) {
                failure = Optional.of(e);
              }
              arrivals.add(new Arrival.Ended(this, failure));
            });
  }

  /** Called on the actor's thread before a statement is sent; returns when it may be sent. */
  void step(String what, int backend) {
    arrivals.orElseThrow().add(new Arrival.AtStep(this, what, backend));
    try {
      boolean unused = permissions.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before " + what, e);
    }
    if (abandoned) {
      throw new IllegalStateException("abandoned before " + what);
    }
  }

  /** Every later step fails. */
  void abandon() {
    abandoned = true;
    permit();
  }

  void permit() {
    permissions.add(true);
  }

  /** Its present wait is about to be ended, and must fail with this SQL state. */
  void endWith(String sqlState) {
    ending = Optional.of(sqlState);
  }

  /** The SQL state that a cancelled statement is to fail with, once. */
  Optional<String> takeEnding() {
    Optional<String> taken = ending;
    ending = Optional.empty();
    return taken;
  }

  @Override
  public String toString() {
    return String.valueOf(name);
  }
}
