package dev.leasehold.server.security;

import dev.leasehold.store.jdbc.KeyRows;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** Keys in the database of the leases, so that all replicas share them. */
public final class StoreApiKeys implements ApiKeys {
  private final KeyRows rows;

  public StoreApiKeys(KeyRows rows) {
    this.rows = rows;
  }

  @Override
  public CompletionStage<Optional<ApiKey>> find(String id) {
    return rows.find(id).thenApply(found -> found.map(StoreApiKeys::key));
  }

  @Override
  public CompletionStage<Void> add(ApiKey key) {
    String verbs =
        key.permissions().stream()
            .map(permission -> permission.name().toLowerCase(Locale.ROOT))
            .sorted()
            .collect(Collectors.joining(","));
    return rows.add(
        new KeyRows.Row(key.id(), key.name(), key.hash(), verbs, String.join(",", key.prefixes())));
  }

  @Override
  public CompletionStage<List<ApiKey>> list() {
    return rows.list().thenApply(found -> found.stream().map(StoreApiKeys::key).toList());
  }

  @Override
  public CompletionStage<Boolean> revoke(String id) {
    return rows.remove(id);
  }

  private static ApiKey key(KeyRows.Row row) {
    Set<Permission> permissions =
        Arrays.stream(row.verbs().split(",", -1))
            .map(verb -> Permission.valueOf(verb.toUpperCase(Locale.ROOT)))
            .collect(Collectors.toSet());
    List<String> prefixes = List.of(row.prefixes().split(",", -1));
    return new ApiKey(row.id(), row.name(), row.hash(), permissions, prefixes);
  }
}
