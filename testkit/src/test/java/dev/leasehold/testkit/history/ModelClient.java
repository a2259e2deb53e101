package dev.leasehold.testkit.history;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.history.HistoryRecorder.OpenCall;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One process of a {@link LegalRun}: sends one command at a time, may never see its answer, may be
 * paused, and believes in its grants until it is told otherwise.
 */
final class ModelClient {
  private final LegalRun run;
  private final String name;
  private final Instance instance;
  private final HistoryRecorder recorder;
  private final Map<LeaseKey, Token> believed = new HashMap<>();
  private LegalRun.@Nullable Sent sent;
  private LegalRun.@Nullable Sent unanswered;
  private @Nullable OpenCall call;
  private @Nullable Outcome outcome;
  private int pause;
  private int requests;

  ModelClient(LegalRun run, String name) {
    this.run = run;
    this.name = name;
    this.instance = Instance.of(String.format("%032x", name.hashCode() & 0xffffffffL));
    this.recorder = new HistoryRecorder(name, () -> run.nanos, run.events);
  }

  private SplittableRandom random() {
    return run.random;
  }

  void step() {
    if (pause > 0) {
      pause--;
    } else if (random().nextInt(100) == 0) {
      pause = random().nextInt(60);
    } else if (sent == null) {
      begin();
    } else if (outcome == null) {
      transmit(sent);
    } else {
      answer(Result.of(outcome));
      learn(sent.command(), outcome);
      finish(Optional.empty());
    }
  }

  private void begin() {
    LegalRun.Sent again = unanswered;
    if (again != null && run.store.clockMillis - again.firstMillis() < LegalRun.TIMEOUT_MILLIS) {
      send(again);
      return;
    }
    LeaseKey key = chooseKey();
    Token token = believed.get(key);
    if (token == null) {
      sendNew(random().nextInt(50) == 0 ? operate(key) : acquire(key));
    } else {
      use(key, token);
    }
  }

  /** Mostly one that it holds, or believes to. */
  private LeaseKey chooseKey() {
    LeaseKey any = run.keys.get(random().nextInt(run.keys.size()));
    return random().nextInt(3) == 0 ? any : believed.keySet().stream().findAny().orElse(any);
  }

  private void use(LeaseKey key, Token token) {
    switch (random().nextInt(20)) {
      case 0 -> sendNew(new Command.Release(key, token, instance, request()));
      case 1 -> sendNew(handOver(key, token));
      case 2, 3, 4 -> run.change(key, token);
      case 5, 6 -> run.changeAtEffect(key, token);
      default -> sendNew(Command.Renew.of(key, token, instance));
    }
  }

  private Command acquire(LeaseKey key) {
    Terms terms = Terms.of(name, Duration.ofMillis(1_000 + random().nextInt(9_000)));
    boolean mayStall = random().nextInt(10) == 0;
    return Command.Acquire.of(
        key, instance, request(), mayStall ? terms.withStallLimit(new StallLimit(3_000)) : terms);
  }

  private Command operate(LeaseKey key) {
    Operator operator = new Operator("operator " + name);
    Command.Reopening[] reopenings = Command.Reopening.values();
    return random().nextInt(3) > 0
        ? new Command.Reopen(key, operator, request())
        : new Command.Revoke(
            key,
            operator,
            new Explanation("for the test"),
            reopenings[random().nextInt(reopenings.length)],
            request());
  }

  private Command handOver(LeaseKey key, Token token) {
    ModelClient heir = run.clients.get(random().nextInt(run.clients.size()));
    return heir.instance.equals(instance)
        ? Command.Renew.of(key, token, instance)
        : new Command.HandOver(
            key, token, instance, request(), new Command.Heir(heir.name, heir.instance.id()));
  }

  private RequestId request() {
    requests++;
    return new RequestId(name + "-" + requests);
  }

  private void sendNew(Command command) {
    send(new LegalRun.Sent(command, run.store.clockMillis));
  }

  private void send(LegalRun.Sent what) {
    sent = what;
    call = recorder.call(Ask.of(what.command()).orElseThrow());
  }

  private void transmit(LegalRun.Sent what) {
    switch (random().nextInt(40)) {
      case 0 -> {
        answer(new Result.Failed("refused by the network"));
        finish(Optional.empty());
      }
      case 1 -> giveUpWaiting(what);
      case 2 -> {
        run.arriveLater(what);
        giveUpWaiting(what);
      }
      case 3 -> {
        run.store.apply(what.command());
        giveUpWaiting(what);
      }
      default -> outcome = run.store.apply(what.command());
    }
  }

  private void giveUpWaiting(LegalRun.Sent what) {
    answer(new Result.Unknown("no answer"));
    boolean abandons = what.command() instanceof Command.Acquire && random().nextInt(3) == 0;
    if (abandons) {
      Command.Acquire acquire = (Command.Acquire) what.command();
      finish(
          Optional.of(
              new LegalRun.Sent(
                  new Command.Abandon(acquire.key(), instance, acquire.requestId()),
                  run.store.clockMillis)));
    } else {
      finish(random().nextInt(4) == 0 ? Optional.empty() : Optional.of(what));
    }
  }

  private void answer(Result result) {
    if (call != null) {
      call.returned(result);
    }
  }

  private void finish(Optional<LegalRun.Sent> next) {
    unanswered = next.orElse(null);
    sent = null;
    call = null;
    outcome = null;
  }

  private void learn(Command command, Outcome told) {
    LeaseKey key = command.key();
    switch (told) {
      case Outcome.Granted granted -> {
        believed.put(key, granted.grant().token());
        if (random().nextBoolean()) {
          run.seal(key, granted.grant().token());
        }
      }
      case Outcome.HandedOver handedOver -> {
        believed.remove(key);
        Command.HandOver given = (Command.HandOver) command;
        run.clients.stream()
            .filter(client -> client.instance.id().equals(given.heir().instanceId()))
            .forEach(heir -> heir.believed.put(key, handedOver.token()));
      }
      case Outcome.Revoked revoked -> run.seal(key, revoked.token());
      case Outcome.Lost lost -> believed.remove(key);
      case Outcome.Released released -> believed.remove(key);
      default -> {}
    }
  }
}
