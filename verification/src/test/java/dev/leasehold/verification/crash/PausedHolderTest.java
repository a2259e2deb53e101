package dev.leasehold.verification.crash;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.demo.AccountPlace;
import dev.leasehold.cli.demo.Ending;
import dev.leasehold.cli.demo.Pause;
import dev.leasehold.cli.demo.PausedHolder;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.verification.accounts.AccountKind;
import dev.leasehold.verification.accounts.AccountProgram;
import dev.leasehold.verification.accounts.AccountService;
import dev.leasehold.verification.accounts.Pauses;
import dev.leasehold.verification.engines.PostgresNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A real SIGSTOP, right after a holder has found that it holds its lease and right before it
 * writes, or anywhere while it writes; it continues long after a successor has taken over. Every
 * kind of fence refuses its late write (I4, I5); it no longer trusts its lease (I6) and is told of
 * the loss (I9), which the story checks. The control: at the same targets without their fences, the
 * write lands each time.
 */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
class PausedHolderTest {
  private static final boolean PROOF = Boolean.getBoolean("leasehold.proof");
  private static final int ROUNDS_ON_POSTGRES = PROOF ? 10 : 1;
  private static final int ROUNDS_ON_SQLITE = PROOF ? 50 : 1;
  private static final List<AccountKind> EVERY_KIND = List.of(AccountKind.values());
  private static final int ANYWHERE = PROOF ? 5 : 1;
  private static final int MAX_LINES = 60;
  private static final LeaseKey KEY = LeaseKey.of("demo", "account");
  private static final System.Logger LOG = System.getLogger(PausedHolderTest.class.getName());

  @TempDir Path folder;

  @Test
  void onPostgresNoFenceLetsTheLateWriteThrough() throws Exception {
    SplittableRandom random = Seed.forTest("pauses on PostgreSQL").random();
    try (PostgresNode node = PostgresNode.start(folder.resolve("postgres"))) {
      node.database().execute("CREATE DATABASE target");
      String other = node.url().replace("/postgres?", "/target?");
      try (AccountService inMemory = AccountService.inMemory(KEY);
          AccountService onMark = AccountService.onMark(other, KEY)) {
        Map<AccountKind, String> addresses =
            Map.of(
                AccountKind.AT_EFFECT, node.url(),
                AccountKind.GUARDED_TABLE, node.url(),
                AccountKind.MARK, other,
                AccountKind.SERVICE_IN_MEMORY, inMemory.address(),
                AccountKind.SERVICE_ON_MARK, onMark.address(),
                AccountKind.FILE, folder.resolve("account").toString());
        List<AccountPlace> places =
            EVERY_KIND.stream().map(kind -> kind.at(requireNonNull(addresses.get(kind)))).toList();
        try (PausedHolder story = open(node.url(), places)) {
          for (int i = 0; i < ROUNDS_ON_POSTGRES; i++) {
            for (Pause pause : pauses(random)) {
              play(story, pause);
            }
          }
        }
      }
    }
  }

  /** Pauses inside of each kind of transaction, at any point, and right between check and write. */
  private static List<Pause> pauses(SplittableRandom random) {
    List<Pause> pauses = new ArrayList<>();
    for (AccountKind kind :
        List.of(AccountKind.AT_EFFECT, AccountKind.GUARDED_TABLE, AccountKind.MARK)) {
      Pauses.insideAWrite(EVERY_KIND.indexOf(kind)).forEach(pauses::add);
    }
    for (int i = 0; i < ANYWHERE; i++) {
      pauses.add(new Pauses.WhileWriting(1 + random.nextInt(MAX_LINES)));
    }
    pauses.add(Pause.BEFORE_THE_WRITE);
    return pauses;
  }

  /**
   * Not inside a transaction, where a stopped process would block every other, as the documents
   * say.
   */
  @Test
  void onSqliteNoFenceLetsTheLateWriteThrough() throws Exception {
    String store = "sqlite:" + folder.resolve("leases.db");
    List<AccountPlace> places =
        List.of(
            AccountKind.AT_EFFECT.at(store),
            AccountKind.GUARDED_TABLE.at(store),
            AccountKind.MARK.at("sqlite:" + folder.resolve("other.db")),
            AccountKind.FILE.at(folder.resolve("account").toString()));
    try (PausedHolder story = open(store, places)) {
      for (int round = 0; round < ROUNDS_ON_SQLITE; round++) {
        play(story, Pause.BEFORE_THE_WRITE);
      }
    }
  }

  private static PausedHolder open(String store, List<AccountPlace> fenced) throws Exception {
    List<AccountPlace> all =
        Stream.concat(fenced.stream(), fenced.stream().map(AccountPlace::withoutFence)).toList();
    return PausedHolder.open(
        new PausedHolder.Stage(store, KEY, all, AccountProgram.PROGRAM),
        sentence -> LOG.log(System.Logger.Level.DEBUG, sentence));
  }

  private static void play(PausedHolder story, Pause pause) throws Exception {
    for (Ending ending : story.play(pause)) {
      assertThat(ending)
          .as("%s, %s", ending.place(), pause)
          .isInstanceOf(
              ending.place().fenced()
                  ? Ending.StaleWriteRefused.class
                  : Ending.StaleWriteLanded.class);
    }
  }
}
