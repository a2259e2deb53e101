package dev.leasehold.verification.architecture;

import java.util.List;
import java.util.stream.Stream;

/**
 * For each wall, code that it must stop, and code that it must accept. A wall without plants does
 * not compile.
 */
final class WallPlants {
  private WallPlants() {}

  static List<Plant> intruders(Wall wall) {
    return switch (wall) {
      case FENCE_CORE_USES_ONLY_THE_JDK -> beyondTheFence();
      case FENCE_JDBC_ADDS_ONLY_JAVA_SQL ->
          List.of(
              in("dev.leasehold.fence.jdbc", "java.net.http.HttpClient client;"),
              in("dev.leasehold.fence.jdbc", "java.util.logging.Logger logger;"));
      case FENCE_HTTP_ADDS_ONLY_THE_JDKS_HTTP ->
          List.of(
              in("dev.leasehold.fence.http", "java.sql.Connection connection;"),
              in("dev.leasehold.fence.http", "java.util.logging.Logger logger;"));
      case FENCE_FILES_ADDS_NOTHING ->
          List.of(
              in("dev.leasehold.fence.files", "java.sql.Connection connection;"),
              in("dev.leasehold.fence.files", "java.net.http.HttpClient client;"),
              dependency("fence.files", "fence.jdbc"));
      case KERNEL_USES_ONLY_THE_JDK_AND_FENCE ->
          List.of(
              inKernel("java.sql.Connection connection;"),
              inKernel("java.net.URI address;"),
              inKernel("java.net.http.HttpClient client;"),
              inKernel("java.util.logging.Logger logger;"),
              inKernel("com.tngtech.archunit.lang.ArchRule rule;"));
      case NO_CLOCK_BELOW_THE_STORE ->
          Stream.of("fence", "kernel", "blocks.locks")
              .flatMap(place -> clockReaders().map(member -> in("dev.leasehold." + place, member)))
              .toList();
      case ONLY_THE_SYSTEM_TICKER_READS_NANO_TIME ->
          List.of(
              inKernel("long now() { return System.nanoTime(); }"),
              inKernel("java.util.function.LongSupplier now = System::nanoTime;"));
      case RULES_DEPEND_ON_ALMOST_NOTHING -> beyondTheRules();
      case RULES_ARE_PURE -> impureRules().map(WallPlants::inRules).toList();
      case ENGINES_DEPEND_ON_VALUES_AND_PORTS -> beyondTheEngines();
      case ENGINES_HAVE_NO_THREADS_LOCKS_OR_CLOCKS -> enginesWithThreads();
      case BLOCK_ENGINES_HAVE_NO_THREADS_LOCKS_OR_CLOCKS -> blockEnginesWithThreads();
      case KERNEL_DOES_NOT_KNOW_ITS_MEMORY_STORE ->
          Stream.of("kernel", "kernel.spi", "kernel.rules", "kernel.engine")
              .map(user -> dependency(user, "kernel.memory"))
              .toList();
      case MODULES_POINT_ONE_WAY ->
          List.of(
              dependency("fence", "kernel"),
              dependency("kernel", "blocks.locks"),
              dependency("blocks.locks", "store.jdbc"),
              dependency("store.jdbc", "server.http"),
              dependency("server", "cli"),
              dependency("kernel", "testkit.time"),
              dependency("testkit.model", "store.jdbc"));
      case REMOTE_BRINGS_NO_SERVER_ALONG -> beyondRemote();
      case ONLY_THE_SERVER_KNOWS_JETTY_AND_MICROMETER -> theServersOwn();
      case SECURITY_KNOWS_NO_HTTP -> List.of(dependency("server.security", "server.http"));
      case BLOCKS_DO_NOT_IMPORT_EACH_OTHER -> betweenBlocks();
      case DIALECTS_ARE_ASKED_AND_NOT_NAMED -> List.of(dialectNamedIn("store.jdbc.effects"));
      case THE_SERVER_ASKS_STORES_FOR_PARTS -> List.of(storeUsedIn("server", "JdbcStore"));
      case ROOMS_OF_THE_STORE_ARE_HIDDEN ->
          List.of(
              dependency("server", "store.jdbc.leases"),
              dependency("cli", "store.jdbc.connections"));
      case PRODUCTION_CODE_KNOWS_NO_TEST_CODE ->
          List.of(
              inKernel("@org.junit.jupiter.api.Test void test() {}"),
              inKernel("Object o() { return org.assertj.core.api.Assertions.assertThat(1); }"),
              dependency("server", "testkit.time"),
              dependency("server", "verification.crash"),
              dependency("kernel", "benchmarks.micro"));
      case NO_JUNK_DRAWERS ->
          List.of(in("dev.leasehold.kernel.util", ""), in("dev.leasehold.common", ""));
    };
  }

  private static List<Plant> betweenBlocks() {
    return List.of(
        dependency("blocks.locks", "blocks.tasks"), dependency("blocks.rows", "blocks.tasks"));
  }

  /** Code that a wall must accept, for a rule that has exceptions or could be too strict. */
  static List<Plant> guests(Wall wall) {
    return switch (wall) {
      case FENCE_CORE_USES_ONLY_THE_JDK ->
          List.of(
              inFence("byte[][] bytes; java.util.List<String[]> names; System.Logger logger;"),
              inFence("@org.jspecify.annotations.Nullable String holder;"));
      case FENCE_JDBC_ADDS_ONLY_JAVA_SQL ->
          List.of(
              in("dev.leasehold.fence.jdbc", "java.sql.Connection c; javax.sql.DataSource s;"),
              dependency("fence.jdbc", "fence"));
      case FENCE_HTTP_ADDS_ONLY_THE_JDKS_HTTP ->
          List.of(
              in("dev.leasehold.fence.http", "java.net.http.HttpClient client;"),
              in("dev.leasehold.fence.http", "com.sun.net.httpserver.Filter filter;"));
      case FENCE_FILES_ADDS_NOTHING ->
          List.of(
              in("dev.leasehold.fence.files", "java.nio.file.Path path;"),
              dependency("fence.files", "fence"));
      case KERNEL_USES_ONLY_THE_JDK_AND_FENCE ->
          List.of(
              inKernel("System.Logger logger; java.util.concurrent.Executor executor;"),
              dependency("kernel", "fence"));
      case ONLY_THE_SYSTEM_TICKER_READS_NANO_TIME ->
          List.of(
              Plant.of(
                  "package dev.leasehold.kernel;"
                      + " class SystemTicker { long now() { return System.nanoTime(); } }"));
      case RULES_DEPEND_ON_ALMOST_NOTHING, RULES_ARE_PURE -> properRules();
      case ENGINES_DEPEND_ON_VALUES_AND_PORTS, ENGINES_HAVE_NO_THREADS_LOCKS_OR_CLOCKS ->
          properEngines();
      case BLOCK_ENGINES_HAVE_NO_THREADS_LOCKS_OR_CLOCKS -> properBlockEngines();
      case NO_CLOCK_BELOW_THE_STORE ->
          List.of(
              Plant.of(
                  "package dev.leasehold.kernel.spi; class SystemTicker {"
                      + " long now() { return System.currentTimeMillis(); } }"));
      case MODULES_POINT_ONE_WAY ->
          List.of(
              dependency("cli", "fence"),
              dependency("store.jdbc", "blocks.locks"),
              dependency("testkit.contract", "kernel.spi"));
      case REMOTE_BRINGS_NO_SERVER_ALONG ->
          List.of(in("dev.leasehold.remote", "java.net.http.HttpClient client;"));
      case ONLY_THE_SERVER_KNOWS_JETTY_AND_MICROMETER ->
          List.of(in("dev.leasehold.server.http", "org.eclipse.jetty.server.Request request;"));
      case SECURITY_KNOWS_NO_HTTP -> List.of(dependency("server.http", "server.security"));
      case BLOCKS_DO_NOT_IMPORT_EACH_OTHER ->
          List.of(
              dependency("blocks.locks", "blocks.locks.spi"),
              dependency("blocks.tasks", "blocks.rows.spi"));
      case DIALECTS_ARE_ASKED_AND_NOT_NAMED -> List.of(dialectNamedIn("store.jdbc.connections"));
      case THE_SERVER_ASKS_STORES_FOR_PARTS ->
          List.of(storeUsedIn("server", "Diagnostics"), storeUsedIn("cli", "JdbcStore"));
      case ROOMS_OF_THE_STORE_ARE_HIDDEN ->
          List.of(
              dependency("server", "store.jdbc"),
              dependency("cli", "store.jdbc.effects"),
              dependency("store.jdbc", "store.jdbc.leases"));
      case PRODUCTION_CODE_KNOWS_NO_TEST_CODE ->
          List.of(in("dev.leasehold.testkit.contract", "@org.junit.jupiter.api.Test void t() {}"));
      case KERNEL_DOES_NOT_KNOW_ITS_MEMORY_STORE, NO_JUNK_DRAWERS ->
          List.of(inKernel("java.time.Duration ttl;"));
    };
  }

  private static List<Plant> properRules() {
    return List.of(
        inRules(
            """
            sealed interface Outcome {}
            record Granted(long token, java.time.Duration ttl) implements Outcome {}
            enum Refused implements Outcome { HELD, GONE }
            String text(Outcome outcome) {
              return switch (outcome) {
                case Granted granted -> "granted " + granted.token();
                case Refused refused -> refused.name();
              };
            }
            java.util.List<String> all(java.util.Map<String, Outcome> by) {
              return by.values().stream().map(this::text).toList();
            }
            """),
        dependency("kernel.rules", "kernel.spi"),
        dependency("kernel.rules", "kernel.model"));
  }

  private static List<Plant> beyondRemote() {
    return List.of(
        dependency("remote", "server"),
        dependency("remote.wire", "store.jdbc"),
        in("dev.leasehold.remote", "java.sql.Connection connection;"));
  }

  private static List<Plant> theServersOwn() {
    return List.of(
        inKernel("org.eclipse.jetty.server.Server server;"),
        in("dev.leasehold.cli", "io.micrometer.core.instrument.Counter counter;"),
        in("dev.leasehold.remote", "io.opentelemetry.api.trace.Span span;"));
  }

  private static List<Plant> beyondTheRules() {
    return List.of(
        inRules("java.time.Instant now;"),
        inRules("java.io.File file;"),
        inRules("java.nio.file.Path path;"),
        inRules("java.util.concurrent.Executor executor;"),
        inRules("java.security.SecureRandom random;"),
        dependency("kernel.rules", "kernel"),
        dependency("kernel.rules", "kernel.memory"));
  }

  private static List<Plant> beyondTheEngines() {
    return List.of(
        inEngine("java.util.concurrent.ExecutorService service;"),
        inEngine("java.util.concurrent.CompletableFuture<String> future;"),
        inEngine("java.util.concurrent.locks.Lock lock;"),
        inEngine("java.time.Instant now;"),
        inEngine("java.nio.file.Path path;"),
        dependency("kernel.engine", "kernel"),
        dependency("kernel.engine", "kernel.rules"),
        dependency("kernel.engine", "kernel.memory"));
  }

  private static List<Plant> enginesWithThreads() {
    return Stream.of(
            "void run() { Thread.startVirtualThread(() -> {}); }",
            "ThreadLocal<String> holder;",
            "void stop() throws InterruptedException {}",
            "synchronized void locked() {}",
            "void await() throws Exception { wait(); }",
            "long now() { return System.nanoTime(); }",
            "java.util.function.LongSupplier now = System::currentTimeMillis;",
            "java.util.Timer timer;",
            "java.util.Random random;",
            "Object id() { return java.util.UUID.randomUUID(); }",
            "double random() { return Math.random(); }")
        .map(WallPlants::inEngine)
        .toList();
  }

  private static List<Plant> blockEnginesWithThreads() {
    return Stream.of(
            "void run() { Thread.startVirtualThread(() -> {}); }",
            "void stop() throws InterruptedException {}",
            "synchronized void locked() {}",
            "void await() throws Exception { wait(); }",
            "java.util.concurrent.locks.Lock lock;",
            "java.util.concurrent.CompletableFuture<String> future;",
            "record Nested(java.util.concurrent.Executor threads) {}",
            "java.util.function.LongSupplier now = System::nanoTime;",
            "java.util.Timer timer;")
        .flatMap(
            member ->
                Stream.of(
                    inBlock("ElectionEngine", member),
                    inBlock("TermWork", member),
                    in("dev.leasehold.blocks.rows.table", member)))
        .toList();
  }

  private static List<Plant> properBlockEngines() {
    return List.of(
        inBlock(
            "ElectionEngine", "java.util.concurrent.atomic.AtomicLong marks; java.util.List<?> l;"),
        inBlock("Replica", "java.util.concurrent.CompletableFuture<String> future;"),
        dependency("blocks.leader", "kernel.engine"));
  }

  private static Plant inBlock(String type, String member) {
    return Plant.of("package dev.leasehold.blocks.leader; class " + type + " { " + member + " }");
  }

  private static List<Plant> properEngines() {
    return List.of(
        inEngine(
            """
            private final java.util.concurrent.Executor turns = Runnable::run;
            private final java.util.concurrent.atomic.AtomicLong progress =
                new java.util.concurrent.atomic.AtomicLong();
            private static final System.Logger LOG = System.getLogger("engine");
            private volatile long trustUntilNanos;
            long draw(java.util.random.RandomGenerator random) { return random.nextLong(); }
            """),
        dependency("kernel.engine", "kernel.spi"),
        dependency("kernel.engine", "kernel.model"),
        dependency("kernel.engine", "fence"));
  }

  private static List<Plant> beyondTheFence() {
    return List.of(
        inFence("java.sql.Connection connection;"),
        inFence("java.net.http.HttpClient client;"),
        inFence("java.util.logging.Logger logger;"),
        dependency("fence", "kernel"),
        dependency("fence", "fence.jdbc"),
        dependency("fence", "fence.files"));
  }

  private static Stream<String> clockReaders() {
    return Stream.of(
        "long now() { return System.currentTimeMillis(); }",
        "java.util.function.LongSupplier now = System::currentTimeMillis;",
        "Object now() { return java.time.Instant.now(); }",
        "Object now() { return java.time.LocalDateTime.now(); }",
        "Object clock() { return java.time.Clock.systemUTC(); }",
        "Object date() { return new java.util.Date(); }");
  }

  private static Stream<String> impureRules() {
    return Stream.of(
        "void run() { Thread.startVirtualThread(() -> {}); }",
        "ThreadLocal<String> holder;",
        "synchronized void locked() {}",
        "void await() throws InterruptedException { wait(); }",
        "java.util.concurrent.locks.Lock lock;",
        "long now() { return System.nanoTime(); }",
        "java.util.Date date;",
        "java.util.Random random;",
        "Object id() { return java.util.UUID.randomUUID(); }",
        "double random() { return Math.random(); }",
        "void print() { System.out.println(); }");
  }

  private static Plant inFence(String member) {
    return in("dev.leasehold.fence", member);
  }

  private static Plant inKernel(String member) {
    return in("dev.leasehold.kernel", member);
  }

  private static Plant inRules(String member) {
    return in("dev.leasehold.kernel.rules", member);
  }

  private static Plant inEngine(String member) {
    return in("dev.leasehold.kernel.engine", member);
  }

  private static Plant in(String packageName, String member) {
    return Plant.of("package " + packageName + "; class Planted { " + member + " }");
  }

  private static Plant dependency(String from, String to) {
    return Plant.of(
        "package dev.leasehold.%s; class User { dev.leasehold.%s.Used used; }".formatted(from, to),
        "package dev.leasehold.%s; public class Used {}".formatted(to));
  }

  private static Plant dialectNamedIn(String place) {
    return Plant.of(
        "package dev.leasehold.store.jdbc.connections;"
            + " public class Dialect { public static final Dialect SQLITE = new Dialect(); }",
        "package dev.leasehold."
            + place
            + "; class User { Object it = dev.leasehold.store.jdbc.connections.Dialect.SQLITE; }");
  }

  private static Plant storeUsedIn(String place, String type) {
    return Plant.of(
        "package dev.leasehold.store.jdbc; public class " + type + " {}",
        "package dev.leasehold."
            + place
            + "; class User { dev.leasehold.store.jdbc."
            + type
            + " used; }");
  }
}
