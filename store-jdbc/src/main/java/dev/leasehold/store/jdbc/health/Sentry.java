package dev.leasehold.store.jdbc.health;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import dev.leasehold.store.jdbc.connections.Work;
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
 * Watches that the store has not gone back to an earlier state: restored from a backup, or promoted
 * from a replica that lagged; and that it is the one which its address has served. Remembers what
 * was seen of it, compares that with what each new connection finds, and refuses commands from then
 * on if something is missing. That the store has gone back is never taken back by what is found
 * later: a position is passed again, a token is issued again. Only a higher incarnation ends it.
 */
public final class Sentry {
  private static final System.Logger LOG = System.getLogger(Sentry.class.getName());

  private final Dialect dialect;
  private final String storeId;
  private final Optional<Places> places;
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

  public Sentry(Dialect dialect, String storeId, Optional<Places> places) {
    this.dialect = dialect;
    this.storeId = storeId;
    this.places = places;
  }

  /**
   * What is kept outside the database.
   *
   * @param store what was seen of the store, by its id
   * @param address which store was served at this address
   * @param together whether the files would share the fate of the database
   */
  public record Places(WitnessFile store, AddressFile address, boolean together) {}

  /** Nothing was sent: the store is not to be used. */
  public static final class RolledBack extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    RolledBack(String sentence) {
      super(sentence);
    }
  }

  /** The store that it looks after. */
  public String storeId() {
    return storeId;
  }

  /** Why commands are refused, if they are. */
  public Optional<String> refusal() {
    return refusal.map(Refusal::sentence);
  }

  /** What is kept outside the database, for people. */
  public WitnessState witness() {
    if (places.isEmpty()) {
      return new WitnessState.None();
    }
    if (unkept.isPresent()) {
      return new WitnessState.Failing(unkept.get());
    }
    if (places.get().together()) {
      return new WitnessState.Together();
    }
    if (fileFound) {
      return new WitnessState.Found(seen().incarnation());
    }
    return isKeeping() ? new WitnessState.Begun() : new WitnessState.Empty();
  }

  /** Lets work be done only on connections to a store that is where it was. */
  public Sessions guard(Sessions sessions) {
    return new Sessions() {
      @Override
      public <T> T use(Work<T> work) throws SQLException {
        return sessions.use(
            session -> {
              require(session);
              return work.run(session);
            });
      }

      @Override
      public void close() {
        sessions.close();
      }
    };
  }

  /** Refuses a connection to a store that is not where it was. */
  public void require(Session session) throws SQLException {
    Object physical = physical(session.connection());
    if (refusal.isEmpty() && isKnown(physical) && isInPlace()) {
      return;
    }
    session.autoCommit(true);
    checkAll(session);
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

  /** Pools wrap a connection anew each time. */
  private Object physical(Connection connection) throws SQLException {
    return dialect == Dialect.SQLITE
        ? connection.unwrap(Connection.class)
        : connection.unwrap(org.postgresql.PGConnection.class);
  }

  /** Remembers what was granted, and to whom; from now on the store must know of it. */
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

  /** Those of an earlier incarnation no longer count. */
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

  /** What another process, or this one before it was restarted, has found stands here too. */
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

  /** Takes the file's word; before the first connection is checked. */
  public void readFile() {
    Optional<Witnessed> written = places.flatMap(place -> place.store().read());
    fileFound |= written.isPresent();
    written.ifPresent(this::add);
  }

  /** From now on what is found is logged; until then, whoever opens the store is told. */
  public synchronized void open() {
    opened = true;
  }

  /**
   * From now on there are files, also where there were none: of a store that is used, or that has
   * just been advanced. Whoever merely looks makes none: what it would write could pass for the
   * testimony of somebody who saw the store before it was lost.
   */
  public synchronized void keep() {
    keeping = true;
  }

  private synchronized boolean isKeeping() {
    return places.isPresent() && (keeping || fileFound);
  }

  /** Adds to the files what was seen; that this fails is said once, and by {@link #witness}. */
  public void writeFile() {
    if (!isKeeping()) {
      return;
    }
    try {
      write(places.orElseThrow());
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

  /**
   * Of a store that has gone back only that is added, and of one that is not the right, nothing.
   */
  private void write(Places to) {
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

  /**
   * What others have seen counts once it was compared with the store; what they refuse, at once.
   */
  private synchronized void adopt(Witnessed written) {
    adopt(written.refused());
  }

  /** A file that has become unreadable since leaves what this process knows. */
  private <T> Optional<T> written(Function<Places, Optional<T>> reading) {
    try {
      return places.flatMap(reading);
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
   * Makes the store's chain longer, if this process has granted something since it last did: not in
   * the way of any command, and at the most once a second. What is added is witnessed once it has
   * been read again.
   */
  void renewLink(Session session) throws SQLException {
    if (refusal.isPresent() || !linkDue.getAndSet(false)) {
      return;
    }
    boolean added = false;
    try {
      added = chain.append(session);
    } finally {
      if (!added) {
        linkDue.set(true);
      }
    }
    if (added) {
      chain.trim(session);
    }
  }

  /** Compares what was seen with what is there. */
  public void checkAll(Session session) throws SQLException {
    check(session, true);
  }

  /** The same without the grants, which is cheap enough for once a second. */
  public void checkPosition(Session session) throws SQLException {
    check(session, refusal.isPresent());
  }

  private void check(Session session, boolean withGrants) throws SQLException {
    Optional<String> elsewhere = elsewhere(session);
    if (elsewhere.isPresent()) {
      settleOther(elsewhere.get());
      return;
    }
    // First what was seen, then what is there: the other way round, something that came between
    // would seem to be missing.
    Optional<Refusal> standing = refusal;
    Witnessed before = seen();
    Optional<Witnessed> written = written(place -> place.store().read());
    Optional<Served> served = written(place -> place.address().read());
    Facts facts = Facts.read(session, before.position());
    copied = facts.isCopied();
    Optional<String> other = otherStore(facts, served);
    if (other.isPresent()) {
      settleOther(other.get());
      return;
    }
    Optional<String> missing = Evidence.in(before, facts);
    if (missing.isEmpty() && written.isPresent()) {
      // By itself: of two links only the higher one would be left, and that may be of a history
      // in which the other is not.
      Position links = written.get().position();
      missing = Evidence.in(written.get(), Facts.read(session, links));
    }
    Witnessed all = written.map(before::and).orElse(before);
    if (missing.isEmpty() && withGrants) {
      missing = Evidence.inGrants(session, all, facts);
    }
    settle(standing, new Found(facts, written, missing));
    if (opened && !standing.equals(refusal)) {
      writeFile();
    }
  }

  /**
   * What a check has found.
   *
   * @param written what others have seen, which the store was compared with, too
   */
  private record Found(Facts facts, Optional<Witnessed> written, Optional<String> missing) {}

  /**
   * Why what this process writes is not what others read, and what to do; of SQLite only. The first
   * file that is seen is the one that this process has opened.
   */
  public synchronized Optional<String> elsewhere(Session session) throws SQLException {
    if (dialect == Dialect.SQLITE && file.isEmpty()) {
      file = Optional.of(OpenedFile.of(session.connection()));
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

  /** A refusal that came up while this was being checked is for the next check to lift. */
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
        // Whoever else is connected may still be with the server that this one has followed.
        known.clear();
      }
      compared = found.written().map(Witnessed::position).orElse(Position.NOTHING);
      // Together: what was refused at an earlier incarnation ends with this one.
      Witnessed now = facts.witnessed();
      add(found.written().map(others -> others.and(now)).orElse(now));
    }
  }

  /** Whether the store was found to have gone back, and its incarnation is not higher since. */
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
        last -> places.orElseThrow().address().contradiction(last, now, facts.foundedAbove()));
  }

  /**
   * Adds the highest incarnation that was seen, and the longest ttl, where that is testimony: from
   * a file that was there before this process, or from the memory of one that has found the store
   * gone back. What a process has merely read of a store that it just opened is none; nor is a
   * refusal by one that had seen nothing before, as of a dump that was restored on another server;
   * nor, of such a copy, how far another store had come at this address.
   */
  public Advance testify(Advance request) {
    Optional<Served> other =
        places.flatMap(place -> place.address().read()).filter(s -> !s.storeId().equals(storeId));
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
