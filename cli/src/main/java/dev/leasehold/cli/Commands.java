package dev.leasehold.cli;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.CommandGroup;
import dev.leasehold.cli.command.ConfigOptions;
import dev.leasehold.cli.demo.DemoCommand;
import dev.leasehold.cli.exec.ExecCommand;
import dev.leasehold.cli.fence.AuditCommand;
import dev.leasehold.cli.fence.InstallFenceCommand;
import dev.leasehold.cli.fence.ListFencesCommand;
import dev.leasehold.cli.fence.RemoveFenceCommand;
import dev.leasehold.cli.fence.ResetFenceCommand;
import dev.leasehold.cli.key.CreateApiKeyCommand;
import dev.leasehold.cli.key.ListApiKeysCommand;
import dev.leasehold.cli.key.RevokeApiKeyCommand;
import dev.leasehold.cli.lease.AcquireCommand;
import dev.leasehold.cli.lease.HandOverCommand;
import dev.leasehold.cli.lease.ListCommand;
import dev.leasehold.cli.lease.ReleaseCommand;
import dev.leasehold.cli.lease.RenewCommand;
import dev.leasehold.cli.lease.ReopenCommand;
import dev.leasehold.cli.lease.RevokeCommand;
import dev.leasehold.cli.lease.ShowCommand;
import dev.leasehold.cli.lease.WatchCommand;
import dev.leasehold.cli.object.BindObjectCommand;
import dev.leasehold.cli.object.DeleteObjectCommand;
import dev.leasehold.cli.object.GetObjectCommand;
import dev.leasehold.cli.object.ListBindingsCommand;
import dev.leasehold.cli.object.ListObjectsCommand;
import dev.leasehold.cli.object.PutObjectCommand;
import dev.leasehold.cli.object.UnbindObjectCommand;
import dev.leasehold.cli.serve.ServeCommand;
import dev.leasehold.cli.session.ListSessionsCommand;
import dev.leasehold.cli.session.ShowSessionCommand;
import dev.leasehold.cli.store.AdvanceIncarnationCommand;
import dev.leasehold.cli.store.DoctorCommand;
import dev.leasehold.cli.store.MigrateCommand;
import dev.leasehold.cli.store.ShowIncarnationCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;

/**
 * All commands, in the order of the help. Creating one uses reflection and is slow, and there are
 * dozens: if the command line names a command, only that one is created.
 */
final class Commands {
  private final CommandContext context;

  private Commands(CommandContext context) {
    this.context = context;
  }

  /** The commands that these words may name; all commands, if they name none. */
  static CommandLine named(CommandContext context, List<String> words) {
    CommandLine line = new Commands(context).top(words);
    ConfigOptions.offer(line);
    return line;
  }

  static CommandLine all(CommandContext context) {
    return named(context, List.of());
  }

  private CommandLine top(List<String> words) {
    List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
    Map<String, Function<CommandContext, Object>> top = new LinkedHashMap<>();
    top.put("serve", ServeCommand::new);
    top.put("exec", ExecCommand::new);
    top.put("lease", s -> group(lease(), leases(), rest));
    top.put("object", s -> group(object(), objects(), rest));
    top.put("session", s -> group(session(), sessions(), rest));
    top.put("key", s -> group(key(), keys(), rest));
    top.put("fence", s -> group(fence(), fences(), rest));
    top.put("incarnation", s -> group(incarnation(), incarnations(), rest));
    top.put("audit", AuditCommand::new);
    top.put("doctor", DoctorCommand::new);
    top.put("migrate", MigrateCommand::new);
    top.put("demo", DemoCommand::new);
    top.put("completion", CompletionCommand::new);
    return group(leasehold(), top, words);
  }

  private CommandLine group(
      CommandLine line, Map<String, Function<CommandContext, Object>> below, List<String> words) {
    Optional<String> named = words.stream().findFirst().filter(below::containsKey);
    below.forEach(
        (name, making) -> {
          if (named.isEmpty() || named.get().equals(name)) {
            line.addSubcommand(name, making.apply(context));
          }
        });
    return line;
  }

  private static CommandLine leasehold() {
    return CommandGroup.named(
        "leasehold",
        "Temporary authority, with fences that hold.",
        "  export LEASEHOLD_STORE=sqlite:leases.db",
        "  leasehold lease acquire lock/nightly-report --ttl 5m",
        "  leasehold lease list --json",
        "",
        "Exit codes: 0 done, 2 usage, 3 held by another or closed for a while, 4 lost or"
            + " stale, 5 store unreachable, 6 refused, 7 holes found (audit, doctor).");
  }

  private static CommandLine lease() {
    return CommandGroup.named(
        "lease",
        "Take, keep, give back and look at leases: one operation each.",
        "  leasehold lease acquire lock/nightly-report --store sqlite:leases.db",
        "  leasehold lease show lock/nightly-report --store sqlite:leases.db");
  }

  private static CommandLine object() {
    return CommandGroup.named(
        "object",
        "Read, write and delete versioned objects: one operation each.",
        "  echo '{\"replicas\":3}' | leasehold object put config web --if-absent",
        "  leasehold object get config web",
        "  leasehold object bind config --key leader/config");
  }

  private static CommandLine session() {
    return CommandGroup.named(
        "session",
        "Look at sessions: which processes are taken for alive.",
        "  leasehold session list --store sqlite:leases.db");
  }

  private static CommandLine key() {
    return CommandGroup.named(
        "key",
        "Make, list and revoke the API keys that a server asks for.",
        "  leasehold key create billing --prefix lock/billing --store sqlite:leases.db",
        "  leasehold key list --store sqlite:leases.db");
  }

  private static CommandLine fence() {
    return CommandGroup.named(
        "fence",
        "Guard tables: the database refuses changes that bring no current token.",
        "  leasehold fence install --table orders --key-column lease --store"
            + " jdbc:postgresql://db/app",
        "  leasehold fence list --json",
        "  leasehold fence remove --table orders");
  }

  private static CommandLine incarnation() {
    return CommandGroup.named(
        "incarnation",
        "Show and raise the incarnation, which is the first part of every token of a store.",
        "  leasehold incarnation show --store sqlite:leases.db",
        "  leasehold incarnation advance --above 731 --store sqlite:leases.db");
  }

  private static Map<String, Function<CommandContext, Object>> leases() {
    Map<String, Function<CommandContext, Object>> leases = new LinkedHashMap<>();
    leases.put("acquire", AcquireCommand::new);
    leases.put("renew", RenewCommand::new);
    leases.put("release", ReleaseCommand::new);
    leases.put("handover", HandOverCommand::new);
    leases.put("revoke", RevokeCommand::new);
    leases.put("reopen", ReopenCommand::new);
    leases.put("show", ShowCommand::new);
    leases.put("list", ListCommand::new);
    leases.put("watch", WatchCommand::new);
    return leases;
  }

  private static Map<String, Function<CommandContext, Object>> objects() {
    Map<String, Function<CommandContext, Object>> objects = new LinkedHashMap<>();
    objects.put("get", GetObjectCommand::new);
    objects.put("put", PutObjectCommand::new);
    objects.put("delete", DeleteObjectCommand::new);
    objects.put("list", ListObjectsCommand::new);
    objects.put("bind", BindObjectCommand::new);
    objects.put("unbind", UnbindObjectCommand::new);
    objects.put("bindings", ListBindingsCommand::new);
    return objects;
  }

  private static Map<String, Function<CommandContext, Object>> sessions() {
    Map<String, Function<CommandContext, Object>> sessions = new LinkedHashMap<>();
    sessions.put("list", ListSessionsCommand::new);
    sessions.put("show", ShowSessionCommand::new);
    return sessions;
  }

  private static Map<String, Function<CommandContext, Object>> keys() {
    Map<String, Function<CommandContext, Object>> keys = new LinkedHashMap<>();
    keys.put("create", CreateApiKeyCommand::new);
    keys.put("list", ListApiKeysCommand::new);
    keys.put("revoke", RevokeApiKeyCommand::new);
    return keys;
  }

  private static Map<String, Function<CommandContext, Object>> fences() {
    Map<String, Function<CommandContext, Object>> fences = new LinkedHashMap<>();
    fences.put("list", ListFencesCommand::new);
    fences.put("install", InstallFenceCommand::new);
    fences.put("remove", RemoveFenceCommand::new);
    fences.put("reset", ResetFenceCommand::new);
    return fences;
  }

  private static Map<String, Function<CommandContext, Object>> incarnations() {
    Map<String, Function<CommandContext, Object>> incarnation = new LinkedHashMap<>();
    incarnation.put("show", ShowIncarnationCommand::new);
    incarnation.put("advance", AdvanceIncarnationCommand::new);
    return incarnation;
  }
}
