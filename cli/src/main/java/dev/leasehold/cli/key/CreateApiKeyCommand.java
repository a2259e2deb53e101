package dev.leasehold.cli.key;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.ApiKeys;
import dev.leasehold.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code key create}: shows a new key, once. */
@Command(
    name = "create",
    description = "Make an API key and print it; it is shown this once, and kept as a hash.",
    footer = {
      "",
      "Verbs: read (look), hold (take, renew, release), operate (revoke, advance, purge).",
      "",
      "Example:",
      "  leasehold key create billing --prefix lock/billing --verbs read,hold --store sqlite:l.db"
    })
public final class CreateApiKeyCommand extends ApiKeyStoreCommand {
  @Parameters(paramLabel = "NAME", description = "Whose it is, for people.")
  String name = "";

  @Option(
      names = "--prefix",
      paramLabel = "P",
      description = "Which keys it is for; may be given again. Else all.")
  List<String> prefixes = new ArrayList<>();

  @Option(
      names = "--verbs",
      paramLabel = "V,V",
      description = "What it is for: read,hold,operate. Else read,hold.")
  String verbs = "read,hold";

  public CreateApiKeyCommand(CommandContext context) {
    super(context);
  }

  @Override
  Exit run(ApiKeys keys) {
    Set<Permission> permissions = EnumSet.noneOf(Permission.class);
    Arrays.stream(verbs.split(",", -1)).map(CreateApiKeyCommand::verb).forEach(permissions::add);
    ApiKey.Made made = ApiKey.make(name, permissions, prefixes.isEmpty() ? List.of("") : prefixes);
    var unused = StoreCalls.await(keys.add(made.key()).thenApply(nothing -> true));
    return print(
        new CommandResult(Exit.DONE, out -> write(out, made.key()), made.text())
            .with(out -> out.text("key", made.text())));
  }

  private static Permission verb(String word) {
    return Arrays.stream(Permission.values())
        .filter(permission -> permission.name().toLowerCase(Locale.ROOT).equals(word.strip()))
        .findFirst()
        .orElseThrow(
            () -> new IllFormedException("a verb is read, hold or operate, not '" + word + "'"));
  }
}
