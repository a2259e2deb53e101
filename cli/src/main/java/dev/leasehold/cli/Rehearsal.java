package dev.leasehold.cli;

import dev.leasehold.cli.config.Environment;
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
 * What the launcher lets a JVM do once after each build. The archive of classes that this JVM
 * leaves behind makes later starts short, and has in it what was used here: so usual commands,
 * straight on a store and through a server, and a server.
 */
final class Rehearsal {
  private Rehearsal() {}

  /** In a folder that it may leave files in. */
  public static void main(String[] args) {
    OutputStream nowhere = OutputStream.nullOutputStream();
    Surroundings unseen =
        new Surroundings(
            Environment.of(Map.of()),
            new PrintWriter(nowhere, false, StandardCharsets.UTF_8),
            new PrintWriter(nowhere, false, StandardCharsets.UTF_8),
            LeasePlace::open,
            Interruptions.OF_PROCESS,
            Ticker.system(),
            new Surroundings.Streams(InputStream.nullInputStream(), nowhere, false),
            Path.of(args[0]));
    int help = Main.run(unseen, "lease", "--help");
    int direct = Main.run(unseen, "lease", "list", "--store", "sqlite:" + args[0] + "/sample.db");
    int served;
    try (MemoryLeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
        LeaseholdServer server = LeaseholdServer.on(store).start()) {
      String address = server.address().toString();
      served =
          Math.max(
              Main.run(unseen, "lease", "acquire", "lock/rehearsal", "--server", address),
              Main.run(unseen, "lease", "list", "--server", address));
    }
    System.exit(Math.max(help, Math.max(direct, served)));
  }
}
