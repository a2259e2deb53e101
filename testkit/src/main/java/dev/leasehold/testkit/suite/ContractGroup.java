package dev.leasehold.testkit.suite;

import dev.leasehold.kernel.model.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A group of cases: each gets a fresh store, and sets its clock. */
public abstract class ContractGroup<U extends UnderTest> extends ContractPart<U> {
  /** A day on which no test of a store's own clock can have been written. */
  public static final long START = Instant.parse("2031-05-06T07:08:09.010Z").toEpochMilli();

  protected static final Duration A_MOMENT = Duration.ofMillis(1);

  // Opened before each test, which JUnit promises and the compiler cannot see.
  @SuppressWarnings("NullAway.Init")
  protected U under;

  private long nowMillis = START;
  private final AtomicInteger requests = new AtomicInteger();

  @BeforeEach
  public void openStore() {
    under = open(START);
  }

  @AfterEach
  public void closeStore() {
    under.close();
  }

  /** What the store's clock shows. */
  protected final long nowMillis() {
    return nowMillis;
  }

  /** Lets store time pass, or steps it back. */
  protected final void pass(Duration by) {
    nowMillis += by.toMillis();
    under.setClock(nowMillis);
  }

  /** A request id that the test has not used yet. */
  protected final RequestId request() {
    return new RequestId("r" + requests.getAndIncrement());
  }

  protected static <T> T answer(CompletionStage<T> stage) {
    return Await.answer(stage);
  }
}
