package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import java.time.Duration;
import java.util.OptionalLong;

/** The callers of the contract, and their commands. */
final class ContractCallers {
  static final LeaseKey KEY = new LeaseKey("lock/report");
  static final LeaseKey OTHER_KEY = new LeaseKey("lock/other");
  static final Instance ANN = instance(1);
  static final Instance BOB = instance(2);
  static final Instance EVE = instance(3);
  static final Operator OPERATOR = new Operator("olga");
  static final Explanation WHY = new Explanation("it looked stuck");
  static final Duration TTL = Duration.ofSeconds(10);

  private ContractCallers() {}

  /** The same secrets in every run, so that a script can be read and run again. */
  static Instance instance(int number) {
    return Instance.of(String.format("%032x", 0xA0_0000L + number));
  }

  static String nameOf(Instance instance) {
    return "holder-" + instance.id().text().substring(0, 4);
  }

  static RequestId request(String text) {
    return new RequestId(text);
  }

  static Terms terms(Instance instance) {
    return Terms.of(nameOf(instance), TTL);
  }

  static Command.Acquire acquire(Instance instance, String request) {
    return acquire(KEY, instance, request);
  }

  static Command.Acquire acquire(LeaseKey key, Instance instance, String request) {
    return Command.Acquire.of(key, instance, request(request), terms(instance));
  }

  static Command.Acquire acquire(Instance instance, String request, Terms terms) {
    return Command.Acquire.of(KEY, instance, request(request), terms);
  }

  static Command.Abandon abandon(Instance instance, String request) {
    return new Command.Abandon(KEY, instance, request(request));
  }

  static Command.Renew renew(Instance instance, Token token) {
    return Command.Renew.of(KEY, token, instance);
  }

  static Command.Renew renewFor(Instance instance, Token token, Duration ttl) {
    return new Command.Renew(KEY, token, instance, OptionalLong.of(ttl.toMillis()), 0);
  }

  static Command.Renew renewAt(Instance instance, Token token, long progress) {
    return new Command.Renew(KEY, token, instance, OptionalLong.empty(), progress);
  }

  static Command.Release release(Instance instance, Token token, String request) {
    return new Command.Release(KEY, token, instance, request(request));
  }

  static Command.HandOver handOver(Instance from, Token token, Instance to, String request) {
    Command.Heir heir = new Command.Heir(nameOf(to), to.id());
    return new Command.HandOver(KEY, token, from, request(request), heir);
  }

  static Command.Revoke revoke(Reopening reopening, String request) {
    return new Command.Revoke(KEY, OPERATOR, WHY, reopening, request(request));
  }

  static Command.Reopen reopen(String request) {
    return new Command.Reopen(KEY, OPERATOR, request(request));
  }

  static Command.Purge purge(Duration deadFor) {
    return new Command.Purge(KEY, deadFor.toMillis());
  }
}
