package dev.leasehold.cli.config;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All settings, each declared once. A {@code *} in a path stands for a kind of leases, or for a
 * key.
 */
public enum Setting {
  STORE(
      "store",
      "--store",
      Value.any("URL"),
      About.depending(
          "of serve: sqlite:leases.db in the data folder",
          "The store: sqlite:PATH, jdbc:postgresql://HOST/DB, jdbc:cockroachdb://HOST/DB or"
              + " memory:.")),
  SERVER(
      "server",
      "--server",
      Value.any("URL"),
      new About(
          "http://127.0.0.1:7420",
          "Where commands ask, instead of a store: http://HOST:PORT or https://HOST:PORT; several,"
              + " with commas, if they serve one store. An API key is taken from"
              + " LEASEHOLD_API_KEY.")),
  TRUST(
      "trust",
      "--trust",
      Value.any("FILE"),
      new About("", "Certificates (PEM) to know an https server by, instead of those of the JDK.")),
  SCHEMA(
      "schema",
      "--schema",
      Value.oneOf("auto", "check"),
      new About(
          "auto",
          "auto: create or upgrade the schema of a store first; check: refuse if it is not"
              + " there.")),
  DATA(
      "data",
      "--data",
      Value.any("DIR"),
      new About(
          "leasehold-data",
          "A folder outside the store that keeps what was seen of it: a store that has gone back to"
              + " an earlier state is found out. Made by serve, and by whoever is told its name"
              + " (doctor makes none); else commands use the default where it is there.")),
  LISTEN(
      "listen",
      "--listen",
      Value.address(),
      new About("127.0.0.1:7420", "Where the server listens; port 0: any.")),
  HOSTS(
      "hosts",
      "--hosts",
      Value.any("NAMES"),
      new About(
          "",
          "Names, with commas, that requests may call the server by, beside its address. Else its"
              + " loopback names, and behind TLS any.")),
  TLS_CERTIFICATE(
      "tls.certificate",
      "--tls-certificate",
      Value.any("FILE"),
      new About("", "The server's chain of certificates, as PEM.")),
  TLS_KEY(
      "tls.key",
      "--tls-key",
      Value.any("FILE"),
      new About("", "Their private key (PKCS #8, not encrypted), as PEM.")),
  KEYS_REQUIRED(
      "keys.required",
      "--require-keys",
      Value.oneOf("true", "false"),
      new About("false", "Answer nobody without an API key.")),
  LOG_FORMAT(
      "log.format",
      "--log-format",
      Value.oneOf("text", "json"),
      new About("text", "How the server logs, on its standard error: a line, or a JSON object.")),
  LOG_LEVEL(
      "log.level",
      "--log-level",
      Value.oneOf("error", "warning", "info", "debug"),
      new About("info", "What the server logs at least.")),
  MAX_WAITING(
      "limits.waiting",
      "--max-waiting",
      Value.number("requests", 1, 1_000_000),
      new About("20000", "How many requests wait for a lease at a time; more are told so (429).")),
  MAX_STREAMS(
      "limits.streams",
      "--max-streams",
      Value.number("streams", 1, 1_000_000),
      new About("10000", "How many event streams there are at a time; more are told so (429).")),
  IDLE(
      "limits.idle",
      "--idle",
      Value.duration(),
      new About("30s", "A connection on which nothing moves for so long is closed.")),
  FAREWELL(
      "limits.farewell",
      "--farewell",
      Value.duration(),
      new About("6s", "How long what is under way gets to be answered when the server stops.")),
  TTL("leases.defaults.ttl", "", Value.duration(), new About("30s", "How long a grant lasts.")),
  HEARTBEAT(
      "leases.defaults.heartbeat",
      "",
      Value.duration(),
      About.depending(
          "a third of the ttl", "How often a grant is renewed. It must be below the ttl.")),
  STALL(
      "leases.defaults.stall",
      "",
      Value.durationOrNone(),
      new About("none", "A grant that is renewed without progress for so long is lost.")),
  KIND_TTL("leases.kinds.*.ttl", "", Value.duration(), About.ofKind("ttl")),
  KIND_HEARTBEAT("leases.kinds.*.heartbeat", "", Value.duration(), About.ofKind("heartbeat")),
  KIND_STALL("leases.kinds.*.stall", "", Value.durationOrNone(), About.ofKind("stall")),
  REACTOR_TTL("leases.reactors.*.ttl", "", Value.duration(), About.ofReactor("ttl")),
  REACTOR_HEARTBEAT(
      "leases.reactors.*.heartbeat", "", Value.duration(), About.ofReactor("heartbeat")),
  REACTOR_STALL("leases.reactors.*.stall", "", Value.durationOrNone(), About.ofReactor("stall"));

  /** A file by its path; names that begin with a colon are of what is no file. */
  private static final Pattern SQLITE_FILE =
      Pattern.compile("((?:jdbc:)?sqlite:(?:file:)?+)((?!:).+)");

  private final String path;
  private final String flag;

  @SuppressWarnings("ImmutableEnumChecker") // it holds a lambda without state
  private final Value value;

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final About about;

  /**
   * What people are told.
   *
   * @param usual the default; empty: there is none
   * @param depends what it is then
   */
  record About(String usual, String depends, String what) {
    About(String usual, String what) {
      this(usual, "", what);
    }

    static About depending(String depends, String what) {
      return new About("", depends, what);
    }

    static About ofKind(String part) {
      return depending(
          "as leases.defaults", "The " + part + " of one kind of leases, as cron in cron/nightly.");
    }

    static About ofReactor(String part) {
      return depending("as its kind", "The " + part + " of one key, as cron/nightly.");
    }
  }

  Setting(String path, String flag, Value value, About about) {
    this.path = path;
    this.flag = flag;
    this.value = value;
    this.about = about;
  }

  public String path() {
    return path;
  }

  /** Its own flag; the others are set by {@code --set PATH=VALUE}. */
  public Optional<String> flag() {
    return flag.isEmpty() ? Optional.empty() : Optional.of(flag);
  }

  public Value value() {
    return value;
  }

  /** What it is where nobody sets it, for people. */
  public String usual() {
    return about.usual().isEmpty() ? about.depends() : about.usual();
  }

  /** The default, where it is a value that could be given. */
  Optional<String> usualValue() {
    return Optional.of(about.usual()).filter(text -> !text.isEmpty());
  }

  /** What it does, for people. */
  public String what() {
    return about.what();
  }

  /** As a file in this folder means it: what is relative in it starts there. */
  public String from(Path folder, String text) {
    return switch (this) {
      case TRUST, DATA, TLS_CERTIFICATE, TLS_KEY -> folder.resolve(text).toString();
      case STORE -> {
        Matcher file = SQLITE_FILE.matcher(text);
        yield file.matches() ? file.group(1) + folder.resolve(file.group(2)) : text;
      }
      default -> text;
    };
  }

  /** The environment variable; NAME in it is the kind or the key, in capitals. */
  public String variable() {
    return new Spot(this, isNamed() ? "NAME" : "").variable();
  }

  /** Whether it is there once for each kind, or each key. */
  public boolean isNamed() {
    return path.contains("*");
  }

  List<String> segments() {
    return List.of(path.split("[.]", -1));
  }

  /** Those that a server goes by. */
  public static List<Setting> ofServer() {
    return Arrays.stream(values())
        .filter(setting -> setting.flag().isPresent() && setting != SERVER && setting != TRUST)
        .toList();
  }

  /** Those that say where a command finds its leases. */
  public static List<Setting> ofCommands() {
    return List.of(STORE, SERVER, TRUST, SCHEMA, DATA);
  }
}
