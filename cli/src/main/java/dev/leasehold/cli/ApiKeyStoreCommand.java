package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.ApiKeys;
import dev.leasehold.server.security.StoreApiKeys;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import java.util.Locale;
import java.util.stream.Collectors;

/** A command on the API keys of a store. */
abstract class ApiKeyStoreCommand extends StoreCommand {
  ApiKeyStoreCommand(Surroundings surroundings) {
    super(surroundings);
  }

  abstract Exit run(ApiKeys keys);

  @Override
  final LeasePlace place() {
    return options.storePlace(surroundings, "API keys are kept in");
  }

  @Override
  final Exit run(LeaseStore store) {
    if (store instanceof JdbcLeaseStore kept) {
      return run(new StoreApiKeys(kept));
    }
    throw new CommandFailedException(
        Exit.USAGE, "a store in memory ends with this command: it keeps no API keys");
  }

  static Json json(ApiKey key) {
    return new Json()
        .with("id", key.id())
        .with("name", key.name())
        .with("verbs", verbs(key))
        .with("prefixes", String.join(",", key.prefixes()));
  }

  static String verbs(ApiKey key) {
    return key.permissions().stream()
        .map(permission -> permission.name().toLowerCase(Locale.ROOT))
        .sorted()
        .collect(Collectors.joining(","));
  }
}
