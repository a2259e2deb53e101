package dev.leasehold.kernel.spi;

import java.time.Duration;

/**
 * How long each layer waits for the one below it. A caller is {@linkplain #PROMISED promised} an
 * answer, even if it is only that the store cannot be reached. Each lower layer gives up a step
 * earlier, so that the layer with the most precise information answers.
 *
 * <pre>
 * {@link #DATABASE}  a connection is silent       the store tries another connection
 * {@link #STORE}     a store has no answer        it says itself that its database is away
 * {@link #COMMANDS}  a batch has no answer        each command has failed, with its certainty
 * {@link #REQUEST}   a request has no answer      the server answers 503
 * {@link #PROMISED}  the holder has no answer     the engine counts the command as lost
 * {@link #SERVER}    a server is silent           the client asks the next server
 * </pre>
 *
 * <p>A renewal is given less where its ttl is short: {@code kernel.engine.Timing}.
 */
public final class AnswerTimes {
  /** What callers are promised. Every other step is counted from it. */
  public static final Duration PROMISED = Duration.ofSeconds(5);

  /** A server needs this long to write the problem that the caller gets in time. */
  public static final Duration REQUEST = PROMISED.minusMillis(50);

  /** A request waits longer than its commands, because their answers say more than a problem. */
  public static final Duration COMMANDS = REQUEST.minusMillis(50);

  /** A store's own answer gives the reason, which a batch that is given up does not know. */
  public static final Duration STORE = COMMANDS.minusMillis(100);

  /**
   * A server that is silent for this long is gone, or the network to it is. The time until {@link
   * #STORE} is enough for one more attempt on another connection.
   */
  public static final Duration DATABASE = STORE.minusMillis(1_300);

  /** An answer that was sent at the last moment needs time to arrive. */
  public static final Duration SERVER = PROMISED.plusMillis(500);

  private AnswerTimes() {}
}
