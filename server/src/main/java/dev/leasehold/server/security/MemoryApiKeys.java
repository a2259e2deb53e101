package dev.leasehold.server.security;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Keys in the memory of this process, for a memory store. */
public final class MemoryApiKeys implements ApiKeys {
  private final Map<String, ApiKey> keys = new ConcurrentHashMap<>();

  @Override
  public CompletionStage<Optional<ApiKey>> find(String id) {
    return CompletableFuture.completedFuture(Optional.ofNullable(keys.get(id)));
  }

  @Override
  public CompletionStage<Void> add(ApiKey key) {
    keys.put(key.id(), key);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<List<ApiKey>> list() {
    return CompletableFuture.completedFuture(
        keys.values().stream().sorted(Comparator.comparing(ApiKey::name)).toList());
  }

  @Override
  public CompletionStage<Boolean> revoke(String id) {
    return CompletableFuture.completedFuture(keys.remove(id) != null);
  }
}
