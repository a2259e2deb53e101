package dev.leasehold.verification.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toUnmodifiableSet;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.lang.module.ModuleDescriptor.Exports;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The walls between modules and packages. A rule may apply to a module that does not exist yet;
 * {@link WallPlants} shows that it bites all the same.
 */
enum Wall {
  FENCE_CORE_USES_ONLY_THE_JDK(
      classes()
          .that(resideInAPackage(Names.FENCE + "..").and(not(Names.FENCE_ADAPTERS)))
          .should()
          .onlyDependOnClassesThat(Names.FENCE_CORE.or(jdk("java.base")).or(Names.JSPECIFY))
          .because("a service checks tokens without anything else on its class path")),

  FENCE_JDBC_ADDS_ONLY_JAVA_SQL(
      classes()
          .that(resideInAPackage("dev.leasehold.fence.jdbc.."))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(Names.FENCE, "dev.leasehold.fence.jdbc..")
                  .or(jdk("java.base", "java.sql"))
                  .or(Names.JSPECIFY))
          .because("the driver and the pool are the user's choice")),

  FENCE_HTTP_ADDS_ONLY_THE_JDKS_HTTP(
      classes()
          .that(resideInAPackage("dev.leasehold.fence.http.."))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(Names.FENCE, "dev.leasehold.fence.http..")
                  .or(jdk("java.base", "java.net.http", "jdk.httpserver"))
                  .or(Names.JSPECIFY))
          .because("the web framework is the user's choice")),

  FENCE_FILES_ADDS_NOTHING(
      classes()
          .that(resideInAPackage("dev.leasehold.fence.files.."))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(Names.FENCE, "dev.leasehold.fence.files..")
                  .or(jdk("java.base"))
                  .or(Names.JSPECIFY))
          .because("a file needs neither a database nor a network")),

  KERNEL_USES_ONLY_THE_JDK_AND_FENCE(
      classes()
          .that(resideInAPackage(Names.KERNEL + ".."))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(Names.FENCE, Names.KERNEL + "..")
                  .or(jdk("java.base").and(not(resideInAPackage("java.net.."))))
                  .or(Names.JSPECIFY))
          .because("the protocol knows no SQL, no network and no framework; log by System.Logger")),

  /** The system ticker reads the clock only to find out whether the machine has slept. */
  NO_CLOCK_BELOW_THE_STORE(
      noClasses()
          .that(
              resideInAnyPackage(Names.FENCE + "..", Names.KERNEL + "..", "dev.leasehold.blocks..")
                  .and(not(simpleName("SystemTicker"))))
          .should()
          .accessTargetWhere(readsTheWallClock())
          .because("ownership is never decided by a wall clock; time is an argument or a Ticker")),

  ONLY_THE_SYSTEM_TICKER_READS_NANO_TIME(
      noClasses()
          .that(
              resideInAnyPackage(Names.FENCE + "..", Names.KERNEL + "..", "dev.leasehold.blocks..")
                  .and(not(simpleName("SystemTicker"))))
          .should()
          .accessTargetWhere(target("java.lang.System", "nanoTime"))
          .because("a second reader of the clock is one that no test can steer")),

  RULES_DEPEND_ON_ALMOST_NOTHING(
      classes()
          .that(resideInAPackage(Names.RULES))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "java.lang..",
                      "java.util",
                      "java.util.function",
                      "java.util.stream",
                      Names.FENCE,
                      Names.MODEL,
                      Names.KERNEL + ".spi",
                      Names.RULES)
                  .or(belongToAnyOf(Duration.class))
                  .or(Names.JSPECIFY))
          .because("a decision is a function of the record, the command and the time given")),

  RULES_ARE_PURE(
      CompositeArchRule.of(
              noClasses()
                  .that(resideInAPackage(Names.RULES))
                  .should()
                  .dependOnClassesThat(
                      belongToAnyOf(
                              Thread.class,
                              ThreadLocal.class,
                              Process.class,
                              ProcessBuilder.class,
                              Runtime.class,
                              System.class,
                              java.util.Random.class,
                              java.util.SplittableRandom.class,
                              java.util.Scanner.class,
                              java.util.Timer.class,
                              java.util.Date.class,
                              java.util.Calendar.class)
                          .or(resideInAnyPackage("java.util.concurrent..", "java.util.random..")))
                  .orShould()
                  .accessTargetWhere(target(UUID.class.getName(), "randomUUID"))
                  .orShould()
                  .accessTargetWhere(target("java.lang.Math", "random"))
                  .orShould()
                  .accessTargetWhere(target("java.lang.Object", "wait|notify|notifyAll"))
                  .allowEmptyShould(true))
          .and(
              noMethods()
                  .that()
                  .areDeclaredInClassesThat(resideInAPackage(Names.RULES))
                  .should()
                  .haveModifier(JavaModifier.SYNCHRONIZED)
                  .allowEmptyShould(true))
          .because("rules have no threads, locks, clocks, randomness or input and output")),

  ENGINES_DEPEND_ON_VALUES_AND_PORTS(
      classes()
          .that(Names.ENGINES)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "java.lang..",
                      "java.util",
                      "java.util.function",
                      "java.util.stream",
                      "java.util.random",
                      "java.util.concurrent.atomic",
                      Names.FENCE,
                      Names.MODEL,
                      Names.KERNEL + ".spi")
                  .or(Names.ENGINES)
                  .or(belongToAnyOf(Duration.class, Executor.class))
                  .or(Names.JSPECIFY))
          .because("a simulator runs these very classes, with a world of its own")),

  ENGINES_HAVE_NO_THREADS_LOCKS_OR_CLOCKS(
      CompositeArchRule.of(
              noClasses()
                  .that(Names.ENGINES)
                  .should()
                  .dependOnClassesThat(
                      belongToAnyOf(
                          Thread.class,
                          ThreadLocal.class,
                          InterruptedException.class,
                          Process.class,
                          Runtime.class,
                          java.util.Random.class,
                          java.util.SplittableRandom.class,
                          java.util.Timer.class,
                          java.util.Date.class))
                  .orShould()
                  .accessTargetWhere(target("java.lang.System", "nanoTime|currentTimeMillis"))
                  .orShould()
                  .accessTargetWhere(target(UUID.class.getName(), "randomUUID"))
                  .orShould()
                  .accessTargetWhere(target("java.lang.Math", "random"))
                  .orShould()
                  .accessTargetWhere(target("java.lang.Object", "wait|notify|notifyAll"))
                  .allowEmptyShould(true))
          .and(
              noMethods()
                  .that()
                  .areDeclaredInClassesThat(Names.ENGINES)
                  .should()
                  .haveModifier(JavaModifier.SYNCHRONIZED)
                  .allowEmptyShould(true))
          .because("state machines are fed one event at a time; threads are outside")),

  /**
   * Time, waiting and turns come from the kernel, so that a test or a simulator can supply them.
   */
  BLOCK_ENGINES_HAVE_NO_THREADS_LOCKS_OR_CLOCKS(
      CompositeArchRule.of(
              noClasses()
                  .that(Names.BLOCK_ENGINES)
                  .should()
                  .dependOnClassesThat(
                      belongToAnyOf(
                              Thread.class,
                              ThreadLocal.class,
                              InterruptedException.class,
                              java.util.Random.class,
                              java.util.Timer.class)
                          .or(
                              resideInAPackage("java.util.concurrent..")
                                  .and(not(resideInAPackage("java.util.concurrent.atomic")))))
                  .orShould()
                  .accessTargetWhere(target("java.lang.System", "nanoTime|currentTimeMillis"))
                  .orShould()
                  .accessTargetWhere(target("java.lang.Object", "wait|notify|notifyAll"))
                  .allowEmptyShould(true))
          .and(
              noMethods()
                  .that()
                  .areDeclaredInClassesThat(Names.BLOCK_ENGINES)
                  .should()
                  .haveModifier(JavaModifier.SYNCHRONIZED)
                  .allowEmptyShould(true))
          .because("a block's state machine is fed one event at a time; threads are outside")),

  KERNEL_DOES_NOT_KNOW_ITS_MEMORY_STORE(
      noClasses()
          .that(
              resideInAnyPackage(Names.KERNEL, Names.MODEL, Names.KERNEL + ".spi", Names.RULES)
                  .or(Names.ENGINES))
          .should()
          .dependOnClassesThat(resideInAPackage("dev.leasehold.kernel.memory.."))
          .because("the reference store is one store among others")),

  MODULES_POINT_ONE_WAY(
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("fence")
          .definedBy("dev.leasehold.fence..")
          .layer("kernel")
          .definedBy("dev.leasehold.kernel..")
          .layer("blocks")
          .definedBy("dev.leasehold.blocks..")
          .layer("store-jdbc")
          .definedBy("dev.leasehold.store..")
          .layer("remote")
          .definedBy("dev.leasehold.remote..")
          .layer("server")
          .definedBy("dev.leasehold.server..")
          .layer("cli")
          .definedBy("dev.leasehold.cli..")
          .layer("testkit")
          .definedBy("dev.leasehold.testkit..")
          .whereLayer("fence")
          .mayNotAccessAnyLayer()
          .whereLayer("kernel")
          .mayOnlyAccessLayers("fence")
          .whereLayer("blocks")
          .mayOnlyAccessLayers("fence", "kernel")
          .whereLayer("store-jdbc")
          .mayOnlyAccessLayers("fence", "kernel", "blocks")
          .whereLayer("remote")
          .mayOnlyAccessLayers("fence", "kernel", "blocks")
          .whereLayer("server")
          .mayOnlyAccessLayers("fence", "kernel", "blocks", "store-jdbc", "remote")
          .whereLayer("cli")
          .mayOnlyAccessLayers("fence", "kernel", "blocks", "store-jdbc", "remote", "server")
          .whereLayer("testkit")
          .mayOnlyAccessLayers("fence", "kernel", "blocks")
          .because("fence <- kernel <- blocks <- store-jdbc, remote <- server <- cli")),

  REMOTE_BRINGS_NO_SERVER_ALONG(
      classes()
          .that(resideInAPackage("dev.leasehold.remote.."))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "dev.leasehold.remote..",
                      "dev.leasehold.blocks..",
                      Names.KERNEL + "..",
                      Names.FENCE,
                      "tools.jackson.core..")
                  .or(jdk("java.base", "java.net.http"))
                  .or(Names.JSPECIFY))
          .because("a client has no web server, no driver and no pool on its class path")),

  ONLY_THE_SERVER_KNOWS_JETTY_AND_MICROMETER(
      noClasses()
          .that(
              resideInAPackage("dev.leasehold..")
                  .and(not(resideInAnyPackage("dev.leasehold.server.."))))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "org.eclipse.jetty..",
                  "io.micrometer..",
                  "io.prometheus..",
                  "io.opentelemetry.."))
          .because("they are the server's own choice, and can be replaced there")),

  SECURITY_KNOWS_NO_HTTP(
      noClasses()
          .that(resideInAPackage("dev.leasehold.server.security.."))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("org.eclipse.jetty..", "dev.leasehold.server.http.."))
          .because("who may do what is decided, and tested, without a request")),

  /** A block that may use another is listed here with ignoreDependency and the reason. */
  BLOCKS_DO_NOT_IMPORT_EACH_OTHER(
      slices()
          .matching("dev.leasehold.blocks.(*)..")
          .should()
          .notDependOnEachOther()
          // Row leases lie below the blocks whose rows are held by them, and stand on no block.
          .ignoreDependency(
              resideOutsideOfPackage(Names.ROW_LEASES + ".."),
              resideInAPackage(Names.ROW_LEASES + ".."))
          .because("each block is understood, used and replaced alone")),

  /** Replaces a module descriptor; decision 28 says why there is none. */
  ROOMS_OF_THE_STORE_ARE_HIDDEN(
      noClasses()
          .that(resideInAPackage("dev.leasehold..").and(not(resideInAPackage(Names.STORE + ".."))))
          .should()
          .dependOnClassesThat(
              resideInAPackage(Names.STORE + "..")
                  .and(
                      not(
                          resideInAnyPackage(
                              Names.STORE, Names.STORE + ".effects", Names.STORE + ".status"))))
          .because("users see store.jdbc, its effects and its status; the rest may change")),

  /** Decision 30: what another kind of database can do is answered in one class. */
  DIALECTS_ARE_ASKED_AND_NOT_NAMED(
      noClasses()
          .that(
              resideInAPackage(Names.STORE + "..")
                  .and(not(resideInAPackage(Names.STORE + ".connections"))))
          .should()
          .accessFieldWhere(
              target("dev\\.leasehold\\.store\\.jdbc\\.connections\\.Dialect", "[A-Z]+"))
          .because("a question says what matters there, and a new dialect answers it")),

  /** The command line opens stores; what it then does with them goes by parts, too. */
  THE_SERVER_ASKS_STORES_FOR_PARTS(
      noClasses()
          .that(resideInAPackage("dev.leasehold.server.."))
          .should()
          .dependOnClassesThat(
              describe(
                  "are a kind of store",
                  type ->
                      type.getFullName()
                          .matches("dev\\.leasehold\\..*(Jdbc|Remote|Memory)(Lease|Object)?Store")))
          .because("a store says which parts it has")),

  PRODUCTION_CODE_KNOWS_NO_TEST_CODE(
      noClasses()
          .that(
              resideInAPackage("dev.leasehold..")
                  .and(not(resideInAnyPackage("dev.leasehold.testkit.."))))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "dev.leasehold.testkit..",
                  "dev.leasehold.verification..",
                  "dev.leasehold.benchmarks..",
                  "org.openjdk.jmh..",
                  "org.junit..",
                  "org.assertj..",
                  "com.tngtech.archunit..",
                  "org.jetbrains.lincheck.."))
          .because("test hooks do not belong in what users run")),

  NO_JUNK_DRAWERS(
      noClasses()
          .should()
          .resideInAnyPackage(
              "..common..", "..util..", "..utils..", "..helper..", "..helpers..", "..misc..")
          .because("a class lives where its subject lives"));

  @SuppressWarnings("ImmutableEnumChecker") // a rule is immutable, but not annotated so
  private final ArchRule rule;

  Wall(ArchRule rule) {
    this.rule = rule.allowEmptyShould(true);
  }

  ArchRule rule() {
    return rule;
  }

  private static DescribedPredicate<JavaClass> jdk(String... modules) {
    Set<String> packages =
        Stream.of(modules)
            .map(name -> ModuleLayer.boot().findModule(name).orElseThrow())
            .flatMap(module -> module.getDescriptor().exports().stream())
            .filter(Predicate.not(Exports::isQualified))
            .map(Exports::source)
            .collect(toUnmodifiableSet());
    return describe(
        "are in " + String.join(", ", modules),
        type ->
            type.getBaseComponentType().isPrimitive()
                || packages.contains(type.getBaseComponentType().getPackageName()));
  }

  private static DescribedPredicate<JavaAccess<?>> readsTheWallClock() {
    return target("java.lang.System", "currentTimeMillis")
        .or(target("java\\.time\\.\\w+", "now"))
        .or(target("java.time.Clock", "system\\w*|tick\\w*"))
        .or(target("java.util.Date", "<init>"))
        .as("the target reads the wall clock");
  }

  /** Calls and method references both count: {@code System::nanoTime} is a way to read it too. */
  private static DescribedPredicate<JavaAccess<?>> target(String ownerRegex, String nameRegex) {
    return describe(
        "the target is " + ownerRegex + "." + nameRegex,
        access ->
            access.getTargetOwner().getFullName().matches(ownerRegex)
                && access.getName().matches(nameRegex));
  }

  /**
   * Constants for the rules above, because an enum's constants cannot use its own static fields.
   */
  private static final class Names {
    static final String FENCE = "dev.leasehold.fence";
    static final String KERNEL = "dev.leasehold.kernel";
    static final String MODEL = "dev.leasehold.kernel.model";
    static final String RULES = "dev.leasehold.kernel.rules..";
    static final String STORE = "dev.leasehold.store.jdbc";
    static final String ROW_LEASES = "dev.leasehold.blocks.rows";

    /** The state machines of the kernel. */
    static final DescribedPredicate<JavaClass> ENGINES =
        resideInAnyPackage("dev.leasehold.kernel.engine..", "dev.leasehold.kernel.batches..");

    /** The state machines of blocks; what runs them is beside them in the same package. */
    static final DescribedPredicate<JavaClass> BLOCK_ENGINES =
        describe(
                "are engines of blocks",
                (JavaClass type) ->
                    type.getFullName()
                        .matches(
                            "dev\\.leasehold\\.blocks\\.(\\w+\\.)+(\\w*Engine|TermWork)(\\$.*)?"))
            .or(resideInAPackage("dev.leasehold.blocks.rows.table"));

    static final DescribedPredicate<JavaClass> FENCE_ADAPTERS =
        resideInAnyPackage(
            "dev.leasehold.fence.jdbc..",
            "dev.leasehold.fence.http..",
            "dev.leasehold.fence.files..");
    static final DescribedPredicate<JavaClass> FENCE_CORE =
        resideInAPackage("dev.leasehold.fence..").and(not(FENCE_ADAPTERS));
    static final DescribedPredicate<JavaClass> JSPECIFY =
        resideInAPackage("org.jspecify.annotations");
  }
}
