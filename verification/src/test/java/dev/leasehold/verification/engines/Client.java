package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An instance that sends a store one command at a time, and waits for the answer. */
record Client(LeaseStore store, Instance instance) {
  static Client of(LeaseStore store) {
    return new Client(store, Instance.random());
  }

  Outcome acquire(LeaseKey key, Duration ttl) throws Exception {
    return ask(Command.Acquire.of(key, instance, RequestId.random(), Terms.of("client", ttl)));
  }

  /** Acquires a free key. */
  Token take(LeaseKey key, Duration ttl) throws Exception {
    Outcome outcome = acquire(key, ttl);
    assertThat(outcome).isInstanceOf(Outcome.Granted.class);
    return ((Outcome.Granted) outcome).grant().token();
  }

  Outcome renew(LeaseKey key, Token token) throws Exception {
    return ask(Command.Renew.of(key, token, instance));
  }

  Outcome release(LeaseKey key, Token token) throws Exception {
    return ask(new Command.Release(key, token, instance, RequestId.random()));
  }

  Outcome ask(Command command) throws Exception {
    return store.apply(List.of(command)).toCompletableFuture().get(1, TimeUnit.MINUTES).getFirst();
  }
}
