package dev.leasehold.cli.session;

import dev.leasehold.blocks.sessions.SessionInfo;
import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.ReadCommand;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.Values;
import dev.leasehold.cli.lease.LossTexts;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.Sessions;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code session show}: one session, or how it ended. */
@Command(
    name = "show",
    description = "Show a session: whose it is, what its process does, how long it lasts.",
    footer = {
      "",
      "Example:",
      "  leasehold session show session/1f0c9be0c1d24e7f8a5d3b2c1a0f9e8d --store sqlite:leases.db"
    })
@SuppressWarnings("NullAway.Init") // required, so picocli sets it before the command runs
public final class ShowSessionCommand extends ReadCommand {
  @Parameters(
      paramLabel = "SESSION",
      description = "Its key, as session list shows it; session/ may be left out.")
  String session;

  public ShowSessionCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit read(Store store) {
    LeaseKey key =
        new LeaseKey(
            session.startsWith(SessionInfo.PREFIX) ? session : SessionInfo.PREFIX + session);
    Optional<LeaseReading> reading = StoreCalls.await(store.leases().read(key));
    return print(
        reading
            .flatMap(SessionInfo::of)
            .map(ShowSessionCommand::alive)
            .orElseGet(() -> ended(key, reading)));
  }

  private static CommandResult alive(SessionInfo session) {
    String text =
        String.join(
            System.lineSeparator(),
            session.grant().key()
                + (session.remainingMillis() > 0
                    ? " lasts for another " + Values.text(session.remainingMillis())
                    : " has expired, and is about to be ended"),
            line("holder", session.holder()),
            line("token", session.grant().token().toString()),
            line("instance id", session.instanceId().text()),
            line("roles", session.roles().isEmpty() ? "-" : String.join(",", session.roles())),
            line("address", session.address().orElse("-")),
            line("version", session.version().orElse("-")),
            line("ttl", Values.text(session.ttlMillis())));
    return new CommandResult(Exit.DONE, out -> Sessions.write(out, session), text);
  }

  private static String line(String name, String value) {
    return "  %-11s %s".formatted(name, value);
  }

  private static CommandResult ended(LeaseKey key, Optional<LeaseReading> reading) {
    String how =
        reading
            .flatMap(found -> found.record().grant())
            .map(Grant::standing)
            .filter(Standing.Ended.class::isInstance)
            .map(standing -> LossTexts.sentence(((Standing.Ended) standing).reason()))
            .map(sentence -> key + " has ended: it " + sentence)
            .orElseGet(() -> "there is no session " + key + " on record");
    return new CommandResult(
        Exit.DONE, out -> out.text("key", key.text()).text("state", "ended"), how);
  }
}
