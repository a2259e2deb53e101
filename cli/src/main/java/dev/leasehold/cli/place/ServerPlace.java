package dev.leasehold.cli.place;

import dev.leasehold.cli.config.Setting;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.RemoteStore;
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
 * @param assumed whether this is the default, because the caller has named none
 */
public record ServerPlace(
    List<String> urls, Optional<String> apiKey, Optional<Path> trust, boolean assumed)
    implements LeasePlace {
  /** The default address of a server. */
  static final String USUAL = "http://127.0.0.1:7420";

  @Override
  public Store open() {
    RemoteStoreBuilder builder = RemoteStore.at(urls.toArray(String[]::new));
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
