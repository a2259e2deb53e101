package dev.leasehold.cli;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.Interruptions;
import dev.leasehold.cli.config.EnvironmentVariables;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.server.LeaseholdServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * Run once by the launcher after each build. The JVM writes an archive of the classes that were
 * used here, which makes later starts faster. This runs the usual commands, on a store and through
 * a server, and starts a server.
 */
final class WarmUp {
  private WarmUp() {}

  /** The argument is a folder for the files that this writes. */
  public static void main(String[] args) {
    OutputStream nowhere = OutputStream.nullOutputStream();
    CommandContext unseen =
        new CommandContext(
            EnvironmentVariables.of(Map.of()),
            new PrintWriter(nowhere, false, StandardCharsets.UTF_8),
            new PrintWriter(nowhere, false, StandardCharsets.UTF_8),
            LeasePlace::open,
            Interruptions.OF_PROCESS,
            Ticker.system(),
            new CommandContext.Streams(InputStream.nullInputStream(), nowhere, false),
            Path.of(args[0]));
    int help = Main.run(unseen, "lease", "--help");
    int direct = Main.run(unseen, "lease", "list", "--store", "sqlite:" + args[0] + "/sample.db");
    int served;
    try (MemoryLeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
        LeaseholdServer server = LeaseholdServer.on(store).start()) {
      String address = server.address().toString();
      served =
          Math.max(
              Main.run(unseen, "lease", "acquire", "lock/warm-up", "--server", address),
              Main.run(unseen, "lease", "list", "--server", address));
    }
    System.exit(Math.max(help, Math.max(direct, served)));
  }
}
