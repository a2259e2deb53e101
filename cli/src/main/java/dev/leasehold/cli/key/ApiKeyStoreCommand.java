package dev.leasehold.cli.key;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.ApiKeys;
import dev.leasehold.server.security.StoreApiKeys;
import dev.leasehold.store.jdbc.KeyRows;
import java.util.Locale;
import java.util.stream.Collectors;

/** A command on the API keys of a store. */
abstract class ApiKeyStoreCommand extends StoreCommand {
  ApiKeyStoreCommand(CommandContext context) {
    super(context);
  }

  abstract Exit run(ApiKeys keys);

  @Override
  protected final LeasePlace place() {
    return options.storePlace(context, "API keys are kept in");
  }

  @Override
  protected final Exit run(Store store) {
    return run(new StoreApiKeys(store.require(KeyRows.class, "API keys")));
  }

  static void write(JsonOut out, ApiKey key) {
    out.text("id", key.id()).text("name", key.name()).text("verbs", verbs(key));
    out.text("prefixes", String.join(",", key.prefixes()));
  }

  static String verbs(ApiKey key) {
    return key.permissions().stream()
        .map(permission -> permission.name().toLowerCase(Locale.ROOT))
        .sorted()
        .collect(Collectors.joining(","));
  }
}
