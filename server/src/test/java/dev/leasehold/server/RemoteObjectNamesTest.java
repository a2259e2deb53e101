package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.RemoteStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that a path could not carry, and objects that an answer could not hold. */
@Timeout(120)
class RemoteObjectNamesTest {
  private final Store store = MemoryStore.open();
  private final LeaseholdServer server = LeaseholdServer.on(store).start();
  private final RemoteStore client = RemoteStore.at(server.address().toString()).open();
  private final VersionedObjects objects = VersionedObjects.on(client.objects());

  @AfterEach
  void close() {
    client.close();
    server.close();
    store.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "..", "batch", "watch", "%2F", "a+b&c=d?e#f;g", "\"\\'<>{}[]"})
  void anyNameIsCarriedAsItIs(String type) {
    ObjectName name = ObjectName.of(type, type + "/../" + type);
    assertThat(objects.create(name, Payload.ofText(type)))
        .isInstanceOf(ObjectOutcome.Created.class);
    assertThat(objects.get(name).orElseThrow().payload().text()).isEqualTo(type);
    assertThat(objects.list(ObjectQuery.all(type)).items())
        .extracting(VersionedObject::name)
        .containsExactly(name);
    assertThat(objects.list(ObjectQuery.all(type).from(name.id())).items()).isEmpty();
    LeaseKey key = LeaseKey.of("leader", "x");
    assertThat(objects.bind(ObjectScope.one(name), key, new Operator("olga"))).isEmpty();
    assertThat(objects.bindings(ObjectQuery.all(type)))
        .extracting(Binding::scope)
        .containsExactly(ObjectScope.one(name));
    assertThat(objects.delete(name)).isEqualTo(new ObjectOutcome.Bound(key));
    assertThat(objects.unbind(ObjectScope.one(name))).contains(key);
    assertThat(objects.delete(name)).isInstanceOf(ObjectOutcome.Deleted.class);
  }

  @Test
  void moreThanAnAnswerHoldsIsReadInSeveral() {
    List<ObjectName> names = new ArrayList<>();
    Payload large = Payload.of(new byte[Payload.MAX_BYTES]);
    for (int i = 0; i < 20; i++) {
      ObjectName name = ObjectName.of("large", "n" + i);
      names.add(name);
      if (i != 3) {
        objects.put(name, large);
      }
    }
    List<Optional<VersionedObject>> found =
        client.objects().read(names).toCompletableFuture().join();
    assertThat(found).hasSameSizeAs(names);
    for (int i = 0; i < names.size(); i++) {
      assertThat(found.get(i).map(VersionedObject::name))
          .isEqualTo(i == 3 ? Optional.empty() : Optional.of(names.get(i)));
    }
  }
}
