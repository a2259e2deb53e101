package dev.leasehold.kernel.memory;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.START;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.rules.Caller;
import dev.leasehold.kernel.rules.Ending;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.Remembered.Verb;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.Test;

/** What the memory store remembers of a key, how much, and for how long. */
class KeyMemoryTest {
  private static final Limits LIMITS = new Limits(50, Limits.MIN_MEMORY_MILLIS, 2);
  private static final LossReason RELEASED = new LossReason.Released();
  private static final LossReason STALLED = new LossReason.Stalled();

  private final KeyMemory memory = new KeyMemory();

  private static Remembered effect(String requestId, long atMillis) {
    Remembered.Request request =
        new Remembered.Request(
            new RequestId(requestId), new Caller.Holder(ANNA.id()), Verb.ACQUIRE);
    return new Remembered(request, token(1), atMillis);
  }

  @Test
  void aRequestIsRememberedForTenMinutesToTheMillisecond() {
    Remembered effect = effect("r1", START);
    memory.remember(effect);

    memory.forget(START + LIMITS.memoryMillis(), LIMITS);
    assertThat(memory.effectOf(effect.request())).contains(effect);
    memory.forget(START + LIMITS.memoryMillis() + 1, LIMITS);
    assertThat(memory.effectOf(effect.request())).isEmpty();
  }

  @Test
  void onlyWhatIsOldIsForgotten() {
    Remembered old = effect("r1", START);
    Remembered young = effect("r2", START + 1);
    memory.remember(old);
    memory.remember(young);
    memory.forget(START + LIMITS.memoryMillis() + 1, LIMITS);

    assertThat(memory.effectOf(old.request())).isEmpty();
    assertThat(memory.effectOf(young.request())).contains(young);
  }

  @Test
  void aRequestRememberedAnewIsNotForgottenWithItsOldSelf() {
    memory.remember(effect("r1", START));
    Remembered anew = effect("r1", START + 1_000);
    memory.remember(anew);
    memory.forget(START + LIMITS.memoryMillis() + 1, LIMITS);

    assertThat(memory.effectOf(anew.request())).contains(anew);
  }

  @Test
  void anotherVerbOrCallerIsAnotherRequest() {
    Remembered effect = effect("r1", START);
    memory.remember(effect);
    Caller ben = new Caller.Holder(BEN.id());
    Caller anna = effect.request().caller();
    RequestId id = effect.request().requestId();

    assertThat(memory.effectOf(new Remembered.Request(id, ben, Verb.ACQUIRE))).isEmpty();
    assertThat(memory.effectOf(new Remembered.Request(id, anna, Verb.ABANDON))).isEmpty();
  }

  @Test
  void theLatestEndingsAreKeptUpToTheirNumber() {
    memory.remember(new Ending(token(1), RELEASED), LIMITS);
    memory.remember(new Ending(token(2), STALLED), LIMITS);
    assertThat(memory.endOf(token(1))).contains(RELEASED);
    memory.remember(new Ending(token(3), RELEASED), LIMITS);

    assertThat(memory.endOf(token(1))).isEmpty();
    assertThat(memory.endOf(token(2))).contains(STALLED);
    assertThat(memory.endOf(token(3))).contains(RELEASED);
  }

  @Test
  void endingsAreKeptByNumberAndNotByTime() {
    memory.remember(new Ending(token(1), RELEASED), LIMITS);
    memory.forget(START + 1_000 * LIMITS.memoryMillis(), LIMITS);

    assertThat(memory.endOf(token(1))).contains(RELEASED);
  }

  @Test
  void aStoreAnswersARepeatForTenMinutesAndThenDecidesAfresh() {
    MemoryStoreFixture fixture = new MemoryStoreFixture();
    fixture.grant(ANNA.acquire("r1"));
    fixture.sendOne(ANNA.release(token(1), "r2"));
    fixture.pass(Limits.MIN_MEMORY_MILLIS);
    assertThat(fixture.sendOne(ANNA.acquire("r1")))
        .isEqualTo(new Outcome.Ended(token(1), RELEASED));
    assertThat(fixture.sendOne(ANNA.release(token(1), "r2"))).isEqualTo(new Outcome.Released());
    fixture.pass(1);

    assertThat(fixture.sendOne(ANNA.release(token(1), "r2"))).isEqualTo(new Outcome.Lost(RELEASED));
    assertThat(fixture.grant(ANNA.acquire("r1"))).isEqualTo(token(2));
  }

  @Test
  void aStoreTellsTheEndsOfTheLastEightGrants() {
    MemoryStoreFixture fixture = new MemoryStoreFixture();
    for (int i = 1; i <= 10; i++) {
      fixture.grant(ANNA.acquire("a" + i));
      fixture.sendOne(ANNA.release(token(i), "r" + i));
    }

    assertThat(fixture.sendOne(ANNA.renew(token(10)))).isEqualTo(new Outcome.Lost(RELEASED));
    assertThat(fixture.sendOne(ANNA.renew(token(2)))).isEqualTo(new Outcome.Lost(RELEASED));
    assertThat(fixture.sendOne(ANNA.renew(token(1))))
        .isEqualTo(new Outcome.Lost(new LossReason.Superseded("anna", token(10))));
  }
}
