package dev.leasehold.cli;

import dev.leasehold.cli.config.Setting;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.remote.RemoteLeaseStore;
import dev.leasehold.remote.RemoteStoreBuilder;
import dev.leasehold.remote.RemoteStoreException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One server, or several on one store.
 *
 * @param assumed whether nobody has named it
 */
record ServerPlace(
    List<String> urls, Optional<String> apiKey, Optional<Path> trust, boolean assumed)
    implements LeasePlace {
  /** Where a server listens that was told nothing else. */
  static final String USUAL = "http://127.0.0.1:7420";

  @Override
  public LeaseStore open() {
    RemoteStoreBuilder builder = RemoteLeaseStore.at(urls.toArray(String[]::new));
    apiKey.ifPresent(builder::apiKey);
    trust.ifPresent(builder::trust);
    try {
      return builder.open();
    } catch (RemoteStoreException e) {
      if (assumed && e.isUnreachable()) {
        throw new CommandFailedException(
            Exit.UNREACHABLE,
            "no server answers at "
                + USUAL
                + "; start one with: leasehold serve (or add --server URL, or --store URL, as "
                + StorePlace.servedIn(Setting.DATA.usual())
                + ", the file of leasehold serve)",
            e);
      }
      throw e;
    }
  }

  @Override
  public Map<String, String> variables(Path folder) {
    Map<String, String> variables = new HashMap<>();
    variables.put(Setting.SERVER.variable(), String.join(",", urls));
    trust.ifPresent(
        file ->
            variables.put(
                Setting.TRUST.variable(),
                Setting.TRUST.from(folder.toAbsolutePath(), file.toString())));
    return variables;
  }

  @Override
  public ServerPlace openedEvenIfRolledBack() {
    return this;
  }
}
