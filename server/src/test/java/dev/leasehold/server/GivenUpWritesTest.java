package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Writes that are queued behind another one when their callers are told that the store is
 * unreachable.
 */
@Timeout(120)
class GivenUpWritesTest {
  private final MemoryLeaseStore leases =
      new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final ObjectStore sound = new MemoryObjectStore(leases);
  private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
  private final LeaseholdServer server = LeaseholdServer.on(leases).objects(slow()).start();
  private final Caller me = new Caller(server.address());
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  /** A batch that has reached the store, which answers when the test tells it to. */
  private record Sent(List<ObjectCommand> batch, CompletableFuture<List<ObjectOutcome>> answer) {}

  private ObjectStore slow() {
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("apply")) {
                return method.invoke(sound, arguments);
              }
              List<ObjectCommand> batch = new ArrayList<>();
              ((List<?>) arguments[0]).forEach(one -> batch.add((ObjectCommand) one));
              Sent one = new Sent(batch, new CompletableFuture<>());
              sent.add(one);
              return one.answer();
            });
  }

  @AfterEach
  void stop() {
    callers.close();
    server.close();
    leases.close();
  }

  private Future<Caller.Reply> put(String content) {
    return callers.submit(
        () -> me.send(me.request("/v1/objects/t/a").PUT(BodyPublishers.ofString(content))));
  }

  private void carryOut(Sent one) {
    one.answer().complete(sound.apply(one.batch()).toCompletableFuture().join());
  }

  @Test
  void areNeverSent() throws Exception {
    Future<Caller.Reply> first = put("1");
    Sent underWay = sent.take();
    Future<Caller.Reply> behind = put("2");
    Future<Caller.Reply> batch =
        callers.submit(
            () ->
                me.post(
                    "/v1/objects/batch",
                    "{~commands~:[{~verb~:~delete~,~type~:~t~,~id~:~a~,~requestId~:~r1~}]}"));
    assertThat(first.get().status()).isEqualTo(503);
    assertThat(behind.get().status()).isEqualTo(503);
    assertThat(batch.get().status()).as(batch.get().text()).isEqualTo(503);
    carryOut(underWay);
    Future<Caller.Reply> last = put("3");
    Sent next = sent.take();
    assertThat(next.batch())
        .singleElement()
        .isInstanceOfSatisfying(
            ObjectCommand.Put.class, put -> assertThat(put.payload().text()).isEqualTo("3"));
    carryOut(next);
    assertThat(last.get().status()).isEqualTo(200);
    assertThat(sent).isEmpty();
    assertThat(next.batch().getFirst().name()).isEqualTo(ObjectName.of("t", "a"));
  }
}
