package dev.leasehold.cli.demo;

import dev.leasehold.cli.config.PrintedConfig;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.store.jdbc.JdbcStore;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Directs two processes through the story of the paused holder, as often as it is asked to. */
public final class PausedHolder implements AutoCloseable {
  /** The amount of A's late write. */
  public static final int TAKEN_BY_A = 30;

  private static final int TAKEN_BY_B = 50;

  private final Stage stage;
  private final Consumer<String> telling;
  private final JdbcStore store;
  private final List<Account> accounts = new ArrayList<>();
  private final List<HolderProcess> processes = new ArrayList<>();

  /** The position in A's output where its latest grant begins. */
  private int grantedAt;

  /**
   * The program of the holders.
   *
   * @param main it calls {@link HolderProgram#run} with the accounts
   */
  public record Program(Class<?> main, Accounts accounts) {
    static final Program OF_DEMO = new Program(HolderProgram.class, Accounts.MARKED);
  }

  /** The setting of the story: the store of the leases, the key, and the places of the account. */
  public record Stage(String store, LeaseKey key, List<AccountPlace> places, Program program) {
    public Stage {
      places = List.copyOf(places);
    }
  }

  private PausedHolder(Stage stage, Consumer<String> telling) {
    this.stage = stage;
    this.telling = telling;
    this.store = JdbcStore.at(stage.store()).migrate().open();
  }

  /**
   * Prepares the places, and starts A and B.
   *
   * @param telling receives a sentence about each event
   */
  public static PausedHolder open(Stage stage, Consumer<String> telling) throws Exception {
    PausedHolder opened = new PausedHolder(stage, telling);
    try {
      opened.begin();
      return opened;
    } catch (Exception e) {
      opened.close();
      throw e;
    }
  }

  private void begin() throws Exception {
    for (AccountPlace place : stage.places()) {
      Account account = stage.program().accounts().open(place, store, stage.key());
      accounts.add(account);
      account.prepare();
    }
    for (String name : List.of("A", "B")) {
      processes.add(
          HolderProcess.start(
              name,
              stage.program().main(),
              HolderProgram.arguments(name, stage.store(), stage.key(), stage.places())));
    }
    for (HolderProcess process : processes) {
      String unused = process.await(0, "ready");
    }
    telling.accept(
        "A and B are processes (%d and %d) that share leases in %s."
            .formatted(a().pid(), b().pid(), PrintedConfig.masked(stage.store())));
  }

  private HolderProcess a() {
    return processes.getFirst();
  }

  private HolderProcess b() {
    return processes.getLast();
  }

  /**
   * Plays the story once, and returns the result of A's late write at each place, in their order.
   */
  public List<Ending> play(Pause pause) throws Exception {
    long paused = acquireAndCheck();
    stop(pause);
    telling.accept(
        "A is stopped (SIGSTOP) after its check and before its write. It does not know.");
    long successor = takeOver();
    List<String> told = goOnAndWrite(pause);
    List<Ending> endings = new ArrayList<>();
    for (int i = 0; i < accounts.size(); i++) {
      List<Entry> log = accounts.get(i).read();
      Ending ending =
          Ending.of(stage.places().get(i), Ending.Round.of(paused, successor, log), told.get(i));
      tell(ending, Entry.balanceOf(log));
      endings.add(ending);
    }
    telling.accept("A has found out by now that its lease is lost: after its write.");
    for (HolderProcess process : processes) {
      String unused = process.ask("release", "released");
    }
    return endings;
  }

  /**
   * Returns A's token. Tries again if a slow machine makes A lose the lease before the accounts are
   * ready.
   */
  private long acquireAndCheck() throws InterruptedException {
    while (true) {
      grantedAt = a().tell("acquire");
      long token = number(a().await(grantedAt, "held"), 1);
      telling.accept(
          "A has taken the lease %s with token %d. It lasts for %d s, and is renewed while A runs."
              .formatted(stage.key(), token, HolderProgram.TTL.toSeconds()));
      long balance = read(a());
      String checked = a().ask("check", "trusts", "does not trust");
      if (checked.startsWith("trusts")) {
        telling.accept(
            "A has read the account, %d, and checked its lease: good for another %d ms."
                .formatted(balance, number(checked, 1)));
        telling.accept(
            "A is about to take %d, and to write %d.".formatted(TAKEN_BY_A, balance - TAKEN_BY_A));
        return token;
      }
      String unused = a().ask("release", "released");
    }
  }

  private long read(HolderProcess process) throws InterruptedException {
    int from = process.tell("read");
    long balance = 0;
    for (int i = accounts.size() - 1; i >= 0; i--) {
      balance = number(process.await(from, "read " + i + " "), 2);
    }
    return balance;
  }

  private void stop(Pause pause) throws Exception {
    pause.approach(a());
    a().stop();
    while (!isWritable()) {
      a().resume();
      a().stop();
    }
  }

  /**
   * On SQLite, a process that is stopped inside a write transaction, such as a renewal, blocks all
   * other processes. The protocol documents this, and the demo does not show it.
   */
  private boolean isWritable() throws SQLException {
    if (!AccountTable.isSqlite(stage.store())) {
      return true;
    }
    try (Connection connection = DriverManager.getConnection("jdbc:" + stage.store());
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 300");
      statement.execute("BEGIN IMMEDIATE");
      statement.execute("ROLLBACK");
      return true;
    } catch (SQLException e) {
      if (String.valueOf(e.getMessage()).contains("BUSY")) {
        return false;
      }
      throw e;
    }
  }

  /** Returns B's token. */
  private long takeOver() throws InterruptedException {
    long token = number(b().ask("acquire", "held"), 1);
    boolean sealed = stage.places().stream().anyMatch(AccountPlace::fenced);
    telling.accept(
        "The lease has run out. B has taken it over with token %d%s."
            .formatted(token, sealed ? ", and sealed the account: lower tokens are refused" : ""));
    long balance = read(b());
    requireWritten(write(b(), b().tell("write " + TAKEN_BY_B)));
    telling.accept(
        "B has read %d, taken %d, and written %d."
            .formatted(balance, TAKEN_BY_B, balance - TAKEN_BY_B));
    return token;
  }

  private static void requireWritten(List<String> answers) {
    if (!answers.stream().allMatch(answer -> answer.startsWith("wrote"))) {
      throw new IllegalStateException("B holds the lease, and was answered " + answers);
    }
  }

  private List<String> goOnAndWrite(Pause pause) throws IOException, InterruptedException {
    telling.accept(
        "A goes on (SIGCONT), and writes what it had in mind, as if nothing had happened.");
    int from = pause.goOn(a(), "write " + TAKEN_BY_A);
    List<String> told = write(a(), from);
    // A also notices the loss itself, but only now.
    String unusedReason = a().await(grantedAt, "lost");
    String unused = a().ask("check", "does not trust");
    return told;
  }

  private List<String> write(HolderProcess process, int from) throws InterruptedException {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < accounts.size(); i++) {
      answers.add(process.awaitWrite(from, i));
    }
    return answers;
  }

  private void tell(Ending ending, long balance) {
    telling.accept(
        switch (ending) {
          case Ending.StaleWriteRefused refused ->
              "A's write was refused: %s. The account says %d, as B left it."
                  .formatted(refused.why(), balance);
          case Ending.StaleWriteLanded landed ->
              "A's write was taken. The account says %d: what B took was never taken out."
                  .formatted(balance);
        });
  }

  private static long number(String line, int word) {
    return Long.parseLong(line.split(" ", -1)[word]);
  }

  @Override
  public void close() {
    processes.forEach(HolderProcess::close);
    accounts.forEach(Account::close);
    store.close();
  }
}
