package dev.leasehold.store.jdbc.health;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import dev.leasehold.store.jdbc.status.WitnessState;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Checks that the store has not gone back to an earlier state, by a restore from a backup or the
 * promotion of a replica that lagged, and that it is the store that its address has served. It
 * remembers what this process has seen of the store, compares that with the database on each new
 * connection, and refuses commands if something is missing. Later findings never lift that refusal,
 * because a store that went back reaches the same positions and issues the same tokens again. Only
 * a higher incarnation ends it.
 */
public final class RollbackDetector {
  private static final System.Logger LOG = System.getLogger(RollbackDetector.class.getName());

  private final Dialect dialect;
  private final String storeId;
  private final Optional<WitnessFiles> witnessFiles;
  private final Chain chain = new Chain();
  private final AtomicBoolean linkDue = new AtomicBoolean();
  private final LinkedHashMap<LeaseKey, SeenGrant> grants = new LinkedHashMap<>();
  private final Set<Object> known = Collections.newSetFromMap(new WeakHashMap<>());
  private Witnessed seen = Witnessed.NOTHING;
  private int grantedIn;
  private long longestTtlMillis;
  private int foundedAbove;
  private Position compared = Position.NOTHING;
  private Optional<OpenedFile> file = Optional.empty();
  private boolean fileFound;
  private boolean keeping;
  private volatile boolean opened;
  private volatile boolean copied;
  private volatile Optional<String> unkept = Optional.empty();
  private volatile Optional<Refusal> refusal = Optional.empty();

  public RollbackDetector(Dialect dialect, String storeId, Optional<WitnessFiles> witnessFiles) {
    this.dialect = dialect;
    this.storeId = storeId;
    this.witnessFiles = witnessFiles;
  }

  /**
   * The files outside the database.
   *
   * @param store what was seen of the store, by its id
   * @param address which store was served at this address
   * @param together whether the files would share the fate of the database
   */
  public record WitnessFiles(WitnessFile store, AddressFile address, boolean together) {}

  /** Nothing was sent, because the store must not be used. */
  public static final class RolledBack extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    RolledBack(String sentence) {
      super(sentence);
    }
  }

  /** The id of the store. */
  public String storeId() {
    return storeId;
  }

  /** The reason why commands are refused, if they are. */
  public Optional<String> refusal() {
    return refusal.map(Refusal::sentence);
  }

  /** The state of the witness files, for people. */
  public WitnessState witness() {
    if (witnessFiles.isEmpty()) {
      return new WitnessState.None();
    }
    Optional<String> failure = unkept; // read once: the next write may succeed meanwhile
    if (failure.isPresent()) {
      return new WitnessState.Failing(failure.get());
    }
    if (witnessFiles.get().together()) {
      return new WitnessState.Together();
    }
    if (fileFound) {
      return new WitnessState.Found(seen().incarnation());
    }
    return isKeeping() ? new WitnessState.Begun() : new WitnessState.Empty();
  }

  /** Runs work only on connections to a store that has not gone back. */
  public ConnectionSource guard(ConnectionSource connections) {
    return new ConnectionSource() {
      @Override
      public <T> T use(ConnectionWork<T> work) throws SQLException {
        return connections.use(
            connection -> {
              require(connection);
              return work.run(connection);
            });
      }

      @Override
      public void close() {
        connections.close();
      }
    };
  }

  /** Refuses a connection to a store that has gone back. */
  public void require(StoreConnection connection) throws SQLException {
    Object physical = physical(connection.jdbc());
    if (refusal.isEmpty() && isKnown(physical) && isInPlace()) {
      return;
    }
    connection.autoCommit(true);
    checkAll(connection);
    if (refusal.isPresent()) {
      throw new RolledBack(refusal.get().sentence());
    }
    synchronized (this) {
      known.add(physical);
    }
  }

  private synchronized boolean isKnown(Object physical) {
    return known.contains(physical);
  }

  private synchronized boolean isInPlace() {
    return file.isEmpty() || file.get().isInPlace();
  }

  /** The driver's connection, since a pool wraps it anew each time. */
  private Object physical(Connection connection) throws SQLException {
    return connection.unwrap(dialect.driverConnection());
  }

  /** Remembers which grants this process has seen; from now on the store must know them. */
  public void saw(List<Command> batch, List<Outcome> outcomes) {
    for (int i = 0; i < batch.size(); i++) {
      saw(batch.get(i), outcomes.get(i));
    }
  }

  private void saw(Command command, Outcome outcome) {
    switch (outcome) {
      case Outcome.Granted(Grant grant, long remaining) ->
          saw(
              command.key(),
              new SeenGrant(grant.token(), Optional.of(grant.instanceId())),
              grant.terms().ttlMillis());
      case Outcome.HandedOver(Token token) when command instanceof Command.HandOver handOver ->
          saw(handOver.key(), new SeenGrant(token, Optional.of(handOver.heir().instanceId())), 0);
      case Outcome.Renewed renewed when command instanceof Command.Renew renew ->
          sawTtl(renew.token(), renew.ttlMillis().orElse(0));
      default -> {}
    }
  }

  private void saw(LeaseKey key, SeenGrant grant, long ttlMillis) {
    synchronized (this) {
      Witnessed.note(grants, key, grant);
    }
    sawTtl(grant.token(), ttlMillis);
    linkDue.set(true);
  }

  /** A ttl of an earlier incarnation no longer counts. */
  private synchronized void sawTtl(Token token, long ttlMillis) {
    if (token.incarnation() > grantedIn) {
      grantedIn = token.incarnation();
      longestTtlMillis = 0;
    }
    if (token.incarnation() == grantedIn) {
      longestTtlMillis = Math.max(longestTtlMillis, ttlMillis);
    }
  }

  private synchronized Witnessed seen() {
    return seen.and(
        new Witnessed(grantedIn, Position.NOTHING, longestTtlMillis, grants, Optional.empty()));
  }

  private synchronized void add(Witnessed more) {
    seen = seen.and(more);
    more.grants().forEach((key, grant) -> Witnessed.note(grants, key, grant));
    adopt(seen.refused());
  }

  /** A refusal by another process, or by this one before a restart, applies here too. */
  private void adopt(Optional<Refusal.LostWrites> found) {
    if (found.isPresent() && !(refusal.orElse(null) instanceof Refusal.LostWrites)) {
      refuse(found.get());
    }
  }

  private void refuse(Refusal found) {
    refusal = Optional.of(found);
    if (opened) {
      LOG.log(Level.ERROR, found.sentence());
    }
  }

  /** Reads the witness file, before the first connection is checked. */
  public void readFile() {
    Optional<Witnessed> written = witnessFiles.flatMap(place -> place.store().read());
    fileFound |= written.isPresent();
    written.ifPresent(this::add);
  }

  /** From now on findings are logged; until then, the caller that opens the store gets them. */
  public synchronized void open() {
    opened = true;
  }

  /**
   * From now on files are written, even if there were none: the store is used, or was just
   * advanced. A process that only inspects the store writes none, since its file could be taken for
   * the testimony of a process that saw the store before it lost writes.
   */
  public synchronized void keep() {
    keeping = true;
  }

  private synchronized boolean isKeeping() {
    return witnessFiles.isPresent() && (keeping || fileFound);
  }

  /** Adds what was seen to the files. A failure is logged once, and shown by {@link #witness}. */
  public void writeFile() {
    if (!isKeeping()) {
      return;
    }
    try {
      write(witnessFiles.orElseThrow());
      unkept = Optional.empty();
    } catch (RuntimeException e) {
      unkept(e);
    }
  }

  private void unkept(RuntimeException e) {
    boolean known = unkept.isPresent();
    String cause = e.getCause() == null ? "" : ": " + e.getCause();
    unkept = Optional.of(e.getMessage() + cause);
    if (!known) {
      LOG.log(
          Level.WARNING,
          "what was seen of the store is not kept, so a restart would forget it: {0}",
          unkept.get());
    }
  }

  /** If the store has gone back, only that is added; if it is another store, nothing is. */
  private void write(WitnessFiles to) {
    Optional<Refusal> standing = refusal;
    Witnessed now = seen();
    if (standing.isEmpty()) {
      adopt(to.store().add(now, compared()));
      Served mine = new Served(storeId, now.incarnation(), now.longestTtlMillis());
      Served last = to.address().add(mine, foundedAbove());
      to.address().contradiction(last, mine, foundedAbove()).ifPresent(this::refuseOther);
    } else if (standing.get() instanceof Refusal.LostWrites lost) {
      adopt(to.store().add(now.refusedBy(lost), compared()));
    }
  }

  private synchronized Position compared() {
    return compared;
  }

  /** A refusal by others applies at once; the rest counts once it was compared with the store. */
  private synchronized void adopt(Witnessed written) {
    adopt(written.refused());
  }

  /** Reads a file. If it has become unreadable, this process goes on with what it knows. */
  private <T> Optional<T> written(Function<WitnessFiles, Optional<T>> reading) {
    try {
      return witnessFiles.flatMap(reading);
    } catch (StoreUnusableException e) {
      if (!opened) {
        throw e;
      }
      unkept(e);
      return Optional.empty();
    }
  }

  private synchronized int foundedAbove() {
    return foundedAbove;
  }

  private synchronized void refuseOther(String sentence) {
    if (refusal.isEmpty()) {
      refuse(new Refusal.OtherStore(sentence));
    }
  }

  /**
   * Extends the store's chain if this process has granted something since the last link, at most
   * once a second and outside of commands. A new link counts as seen once it has been read back.
   */
  void renewLink(StoreConnection connection) throws SQLException {
    if (refusal.isPresent() || !linkDue.getAndSet(false)) {
      return;
    }
    boolean added = false;
    try {
      added = chain.append(connection);
    } finally {
      if (!added) {
        linkDue.set(true);
      }
    }
    if (added) {
      chain.trim(connection);
    }
  }

  /** Compares what was seen with the database. */
  public void checkAll(StoreConnection connection) throws SQLException {
    check(connection, true);
  }

  /** The same without the grants; it is cheap enough to run every second. */
  public void checkPosition(StoreConnection connection) throws SQLException {
    check(connection, refusal.isPresent());
  }

  private void check(StoreConnection connection, boolean withGrants) throws SQLException {
    Optional<String> replacedFile = replacedFile(connection);
    if (replacedFile.isPresent()) {
      settleOther(replacedFile.get());
      return;
    }
    // What was seen is read first, and the database afterwards. In the other order, a write in
    // between would seem to be missing.
    Optional<Refusal> standing = refusal;
    Witnessed before = seen();
    Optional<Witnessed> written = written(place -> place.store().read());
    Optional<Served> served = written(place -> place.address().read());
    Facts facts = Facts.read(connection, before.position());
    copied = facts.isCopied();
    Optional<String> other = otherStore(facts, served);
    if (other.isPresent()) {
      settleOther(other.get());
      return;
    }
    Optional<String> missing = Evidence.in(before, facts);
    if (missing.isEmpty() && written.isPresent()) {
      // The file's links are compared separately. If both were merged, only the higher link would
      // be left, and that may belong to a history without the other.
      Position links = written.get().position();
      missing = Evidence.in(written.get(), Facts.read(connection, links));
    }
    Witnessed all = written.map(before::and).orElse(before);
    if (missing.isEmpty() && withGrants) {
      missing = Evidence.inGrants(connection, all, facts);
    }
    settle(standing, new Found(facts, written, missing));
    if (opened && !standing.equals(refusal)) {
      writeFile();
    }
  }

  /**
   * The result of a check.
   *
   * @param written what others have seen, which was also compared with the store
   */
  private record Found(Facts facts, Optional<Witnessed> written, Optional<String> missing) {}

  /**
   * Why what this process writes is not what others read, and what to do; of a store in a file
   * only. The first file that is seen is the one that this process has opened.
   */
  public synchronized Optional<String> replacedFile(StoreConnection connection)
      throws SQLException {
    if (dialect.isFile() && file.isEmpty()) {
      file = Optional.of(OpenedFile.of(connection));
    }
    return file.filter(opening -> !opening.isInPlace())
        .map(
            opening ->
                "the database was emptied or replaced: the file "
                    + opening.path()
                    + " is not the one that this process has opened. Put that one back, or start"
                    + " this process again to use what is there now");
  }

  private synchronized void settleOther(String sentence) {
    boolean lost = refusal.orElse(null) instanceof Refusal.LostWrites;
    Refusal found = new Refusal.OtherStore(sentence);
    if (!lost && !refusal.equals(Optional.of(found))) {
      refuse(found);
    }
  }

  /** A refusal that arose during this check can only be lifted by the next one. */
  private synchronized void settle(Optional<Refusal> standing, Found found) {
    Facts facts = found.facts();
    foundedAbove = facts.foundedAbove();
    boolean ended = !isLostAt(facts.incarnation());
    if (found.missing().isPresent()) {
      if (ended) {
        refuse(Refusal.lostWrites(facts.incarnation(), found.missing().get()));
      }
    } else if (ended && refusal.equals(standing)) {
      refusal = Optional.empty();
      if (facts.isLaterThan(seen)) {
        // Other connections may still lead to the previous server, so they are checked again.
        known.clear();
      }
      compared = found.written().map(Witnessed::position).orElse(Position.NOTHING);
      // Merged, so that a refusal at an earlier incarnation ends with this one.
      Witnessed now = facts.witnessed();
      add(found.written().map(others -> others.and(now)).orElse(now));
    }
  }

  /** Whether the store was found to have gone back at this incarnation or a later one. */
  private boolean isLostAt(int incarnation) {
    return refusal.orElse(null) instanceof Refusal.LostWrites lost
        && incarnation <= lost.incarnation();
  }

  private Optional<String> otherStore(Facts facts, Optional<Served> served) {
    if (!facts.storeId().equals(storeId)) {
      return Optional.of(
          "the database was emptied or replaced: it holds store "
              + facts.storeId()
              + ", and this process has opened store "
              + storeId
              + " at incarnation "
              + seen().incarnation()
              + ". Bring that one back; or run leasehold incarnation advance --above "
              + seen().incarnation()
              + " on the one that is there, and start this process again");
    }
    Served now = new Served(storeId, facts.incarnation(), 0);
    return served.flatMap(
        last ->
            witnessFiles.orElseThrow().address().contradiction(last, now, facts.foundedAbove()));
  }

  /**
   * Adds to the request the highest incarnation and the longest ttl that were seen, if they are
   * testimony: if they come from a file that existed before this process, or from a process that
   * found that the store had gone back. What a process has only read from a store that it just
   * opened is no testimony. Nor is a refusal by a process that had seen nothing before, as for a
   * dump that was restored on another server; nor, for such a copy, how far another store at this
   * address had come.
   */
  public Advance testify(Advance request) {
    Optional<Served> other =
        witnessFiles
            .flatMap(place -> place.address().read())
            .filter(s -> !s.storeId().equals(storeId));
    Witnessed mine = seen();
    Witnessed now = fileFound ? written(at -> at.store().read()).map(mine::and).orElse(mine) : mine;
    boolean remembered = refusal.isPresent() && mine.incarnation() > 0;
    boolean testimony = fileFound || remembered || (other.isPresent() && !copied);
    long ttl =
        Math.max(
            Math.max(request.witnessedTtlMillis(), testimony ? now.longestTtlMillis() : 0),
            other.map(Served::longestTtlMillis).orElse(0L));
    int highest = Math.max(now.incarnation(), other.map(Served::incarnation).orElse(0));
    OptionalInt witness =
        testimony
            ? OptionalInt.of(Math.max(highest, request.witness().orElse(0)))
            : request.witness();
    return new Advance(request.above(), witness, request.holdOffMillis(), ttl);
  }
}
