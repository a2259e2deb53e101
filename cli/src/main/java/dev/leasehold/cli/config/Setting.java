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
          "The server that commands ask, instead of a store: http://HOST:PORT or https://HOST:PORT;"
              + " several, with commas, if they serve one store. An API key is taken from"
              + " LEASEHOLD_API_KEY.")),
  TRUST(
      "trust",
      "--trust",
      Value.any("FILE"),
      new About("", "Trusted certificates (PEM) of an https server, instead of those of the JDK.")),
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
          "A folder outside the store that keeps what was seen of it: it shows when a store has"
              + " gone back to an earlier state. Created by serve, and by a command that is given"
              + " its name (doctor creates none); other commands use the default if it exists.")),
  LISTEN(
      "listen",
      "--listen",
      Value.address(),
      new About(
          "127.0.0.1:7420", "The address that the server listens on; port 0: any free port.")),
  HOSTS(
      "hosts",
      "--hosts",
      Value.any("NAMES"),
      new About(
          "",
          "Host names, with commas, that requests may use for the server, besides its address. Else"
              + " its loopback names, and behind TLS any.")),
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
      new About("false", "Require an API key for every request.")),
  LOG_FORMAT(
      "log.format",
      "--log-format",
      Value.oneOf("text", "json"),
      new About(
          "text",
          "The format of the server's log, on its standard error: a line, or a JSON object.")),
  LOG_LEVEL(
      "log.level",
      "--log-level",
      Value.oneOf("error", "warning", "info", "debug"),
      new About("info", "The lowest level that the server logs.")),
  MAX_WAITING(
      "limits.waiting",
      "--max-waiting",
      Value.number("requests", 1, 1_000_000),
      new About(
          "20000", "Maximum number of requests that wait for a lease; more are refused (429).")),
  MAX_STREAMS(
      "limits.streams",
      "--max-streams",
      Value.number("streams", 1, 1_000_000),
      new About("10000", "Maximum number of open event streams; more are refused (429).")),
  IDLE(
      "limits.idle",
      "--idle",
      Value.duration(),
      new About("30s", "A connection without traffic is closed after this time.")),
  SHUTDOWN(
      "limits.shutdown",
      "--shutdown-timeout",
      Value.duration(),
      new About("6s", "How long requests under way have to be answered when the server stops.")),
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
      new About("none", "A grant that is renewed without progress for this long is lost.")),
  KIND_TTL("leases.kinds.*.ttl", "", Value.duration(), About.ofKind("ttl")),
  KIND_HEARTBEAT("leases.kinds.*.heartbeat", "", Value.duration(), About.ofKind("heartbeat")),
  KIND_STALL("leases.kinds.*.stall", "", Value.durationOrNone(), About.ofKind("stall")),
  REACTOR_TTL("leases.reactors.*.ttl", "", Value.duration(), About.ofReactor("ttl")),
  REACTOR_HEARTBEAT(
      "leases.reactors.*.heartbeat", "", Value.duration(), About.ofReactor("heartbeat")),
  REACTOR_STALL("leases.reactors.*.stall", "", Value.durationOrNone(), About.ofReactor("stall"));

  /** A file given by its path; names that begin with a colon are not files. */
  private static final Pattern SQLITE_FILE =
      Pattern.compile("((?:jdbc:)?sqlite:(?:file:)?+)((?!:).+)");

  private final String path;
  private final String flag;

  @SuppressWarnings("ImmutableEnumChecker") // it holds a lambda without state
  private final Value value;

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final About about;

  /**
   * Texts for users.
   *
   * @param usual the default; empty if there is none
   * @param depends describes the default if it depends on something
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

  /** Its own flag; settings without one are set by {@code --set PATH=VALUE}. */
  public Optional<String> flag() {
    return flag.isEmpty() ? Optional.empty() : Optional.of(flag);
  }

  public Value value() {
    return value;
  }

  /** The default, as a text for users. */
  public String usual() {
    return about.usual().isEmpty() ? about.depends() : about.usual();
  }

  /** The default, if it is a value that a user could give. */
  Optional<String> usualValue() {
    return Optional.of(about.usual()).filter(text -> !text.isEmpty());
  }

  /** What the setting does, as a text for users. */
  public String what() {
    return about.what();
  }

  /** The value from a file in this folder: relative paths start there. */
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
    return new SettingPath(this, isNamed() ? "NAME" : "").variable();
  }

  /** Whether each kind or each key has its own value. */
  public boolean isNamed() {
    return path.contains("*");
  }

  List<String> segments() {
    return List.of(path.split("[.]", -1));
  }

  /** The settings of a server. */
  public static List<Setting> ofServer() {
    return Arrays.stream(values())
        .filter(setting -> setting.flag().isPresent() && setting != SERVER && setting != TRUST)
        .toList();
  }

  /** The settings that tell a command where its leases are. */
  public static List<Setting> ofCommands() {
    return List.of(STORE, SERVER, TRUST, SCHEMA, DATA);
  }
}
