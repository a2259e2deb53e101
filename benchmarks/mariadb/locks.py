#!/usr/bin/env python3
"""How InnoDB's row locks fence changes at effect, session by session (docs/decisions/0026).

Each line is an outcome; the script fails where one is not what the decision says. What it needs is said in
server.py.
"""
import signal
import sys
import time

from server import Server, Session

CHECK_ONE = "SELECT token FROM one WHERE k = 'a' AND token = 7 LOCK IN SHARE MODE"
CHECK = "SELECT token FROM lease WHERE k = 'a' AND token = 7 AND ended = 0 LOCK IN SHARE MODE"
CHECK_IND = ("SELECT token FROM ind FORCE INDEX (fence) WHERE k = 'a' AND token = 7 AND ended = 0"
             " LOCK IN SHARE MODE")
RENEW = "UPDATE {} SET expires = SYSDATE(6) + INTERVAL 30 SECOND WHERE k = 'a'"
LOCK = "SELECT k FROM lease WHERE k = 'a' FOR UPDATE"
EXPIRE = "UPDATE beat SET expires = SYSDATE(6) - INTERVAL 1 SECOND WHERE k = 'a'"
EXPIRE_SOON = "UPDATE beat SET expires = SYSDATE(6) + INTERVAL {} MICROSECOND WHERE k = 'a'"
WRITE = "UPDATE paid SET times = {} WHERE id = 0"
WRITTEN = "SELECT times FROM paid WHERE id = 0"


def checked(server, check=CHECK):
    session = server.begin()
    assert session.ask(check) == "7"
    return session


def one_row(server, outcome, admin):
    server.chapter("1. One row")
    a, b, c, d = checked(server, CHECK_ONE), Session(server), server.begin(), Session(server)
    outcome("a takeover waits for an open check", d.waits("SELECT k FROM one WHERE k = 'a' FOR UPDATE"), "True")
    d.end()
    outcome("a renewal waits for an open check", b.waits(RENEW.format("one")), "True")
    outcome("the next check waits behind the renewal", c.waits(CHECK_ONE), "True")
    a.ask("COMMIT"), b.answer(), c.answer(), c.ask("COMMIT")
    a, b = checked(server, CHECK_ONE), checked(server, CHECK_ONE)
    a.waits("UPDATE one SET ended = 1 WHERE k = 'a'")
    outcome("two that have checked, and then write the row", b.ask("UPDATE one SET ended = 1 WHERE k = 'a'"), "1213")
    outcome("the other", a.answer(), "nothing")
    a.ask("ROLLBACK")
    b.ask(WRITE.format(5), "COMMIT")
    outcome("the victim's next write, with no check in force", admin.ask(WRITTEN), "5")
    snapshots(server, outcome, "one", CHECK_ONE, "1020")


def snapshots(server, outcome, table, check, expected):
    a = server.begin("REPEATABLE READ")
    a.ask("SET innodb_snapshot_isolation = ON", f"SELECT * FROM {table}")
    server.admin.ask(RENEW.format("one"), RENEW.format("beat"))
    outcome("innodb_snapshot_isolation: check after a renewal that came after the snapshot", a.ask(check), expected)
    a.ask("ROLLBACK")


def two_rows(server, outcome, admin):
    server.chapter("2. Two rows: checks lock the lease, renewals write the beat, what ends a grant locks both")
    a, b, c, d = checked(server), Session(server), server.begin(), Session(server)
    outcome("a renewal beside an open check", b.ask("CALL renew(7)"), "renewed")
    outcome("a revocation waits for the check", d.waits(LOCK), "True")
    outcome("a renewal beside both", b.ask("CALL renew(7)"), "renewed")
    d.end()
    admin.ask(EXPIRE)
    outcome("a takeover waits for the check", b.waits("CALL take(1)"), "True")
    outcome("a check behind the waiting takeover waits", c.waits(CHECK), "True")
    outcome("a contender that skips locked rows", Session(server).ask(LOCK + " SKIP LOCKED"), "nothing")
    a.ask(WRITE.format(7), "COMMIT")
    outcome("the takeover after the commit", b.answer(), "granted 8")
    outcome("the check that came later", c.answer(), "nothing")
    outcome("a renewal of the old grant", b.ask("CALL renew(7)"), "lost")
    outcome("a refused check keeps the row locked", b.waits(LOCK), "True")

    server.chapter("   A renewal that races a takeover")
    a, b = server.begin(), Session(server)
    admin.ask(EXPIRE_SOON.format(1000000))
    outcome("a renewal, not yet committed at the old expiry", a.ask("CALL renew(7)"), "renewed")
    time.sleep(1.1)
    plain = "SELECT IF(expires < SYSDATE(6), 'expired', 'held') FROM beat WHERE k = 'a'"
    outcome("the beat, read without a lock", b.ask(plain), "expired")
    outcome("a takeover, which locks the beat, waits", b.waits("CALL take(1)"), "True")
    a.ask("COMMIT")
    outcome("the takeover", b.answer(), "held")
    races = {}
    for i in range(200):
        admin.ask("CALL fresh()", EXPIRE_SOON.format(3000))
        a.send("DO SLEEP(0.0022); CALL renew(7)"), b.send(f"DO SLEEP(0.0024); CALL take({i + 1})")
        both = a.answer() + " and " + b.answer().split()[0]
        races[both] = races.get(both, 0) + 1
    outcome("200 races", races, "^(?!.*renewed and granted)")


def transactions(server, outcome, admin):
    server.chapter("   Snapshots and gaps")
    a = server.begin("REPEATABLE READ")
    a.ask("SELECT * FROM lease")
    admin.ask(EXPIRE, "CALL take(1)")
    outcome("a plain read in a snapshot from before a takeover", a.ask(CHECK.replace(" LOCK IN SHARE MODE", "")), "7")
    outcome("a locking read in the same transaction", a.ask(CHECK), "nothing")
    a.ask("ROLLBACK"), admin.ask("CALL fresh()")
    snapshots(server, outcome, "lease", CHECK, "7")
    for isolation, expected in ("REPEATABLE READ", "True"), ("READ COMMITTED", "False"):
        a, b = server.begin(isolation), server.begin()
        a.ask(CHECK.replace("'a'", "'m'"))
        outcome(f"{isolation}: after the check of a key without a row, the insert of another key waits",
                b.waits("INSERT INTO lease VALUES ('n', 1, 0, 0)"), expected)
        a.ask("ROLLBACK"), b.answer(), b.ask("ROLLBACK")

    server.chapter("   The store's own row")
    a, b = server.begin("REPEATABLE READ"), Session(server)
    a.ask("SELECT * FROM store")
    admin.ask("UPDATE store SET incarnation = 2")
    beside = "SELECT (SELECT incarnation FROM store) FROM lease WHERE k = 'a' LOCK IN SHARE MODE"
    joined = "SELECT incarnation FROM store STRAIGHT_JOIN lease WHERE id = 1 AND k = 'a' LOCK IN SHARE MODE"
    outcome("after an advance to 2, a check in an older snapshot reads it by a subquery as", a.ask(beside), "1")
    outcome("and by a join, which locks it, as", a.ask(joined), "2")
    outcome("an advance waits for the check", b.waits("UPDATE store SET incarnation = 3"), "True")

    server.chapter("   What takes a check back")
    names = {CHECK: "check", WRITE.format(1): "write", "INSERT INTO paid VALUES (0, 1)": "INSERT that fails"}
    check, write, fails = names
    back = "ROLLBACK TO SAVEPOINT s"
    for steps, expected in (("SAVEPOINT s", check, back), "False"), ((write, "SAVEPOINT s", check, back), "True"), (
            (check, "SAVEPOINT s", write, back), "True"), ((check, fails), "True"), (
            (check, "CREATE TEMPORARY TABLE t (i INT)"), "True"), ((check, "CREATE TABLE t (i INT)"), "False"):
        a, b = server.begin(), Session(server)
        a.ask(*steps)
        outcome("; ".join(names.get(step, step) for step in steps) + ": a takeover waits", b.waits(LOCK), expected)
        a.ask("ROLLBACK"), b.answer()

    server.chapter("   The clock")
    for clock, expected in ("NOW(6)", "1"), ("SYSDATE(6)", "0"):
        a, b = server.begin(), Session(server)
        admin.ask(EXPIRE_SOON.format(1000000))
        a.ask("SELECT * FROM beat WHERE k = 'a' FOR UPDATE")
        b.waits(RENEW.format("beat") + f" AND expires > {clock}; SELECT ROW_COUNT()")
        time.sleep(1.1)
        a.ask("ROLLBACK")
        outcome(f"rows that a renewal changes which has waited past the expiry, by {clock}", b.answer(), expected)

    server.chapter("   Refusals")
    a, b = server.begin(), server.begin()
    outcome("SIGNAL after a write", a.ask(WRITE.format(1), "SIGNAL SQLSTATE 'LH002'"), "error 1644")
    a.ask("COMMIT")
    outcome("the write, if the caller commits all the same", admin.ask(WRITTEN), "1")
    outcome("KILL of the own connection after a write", b.ask(WRITE.format(2), "CALL refuse()"), "error 1927")
    outcome("COMMIT after it", b.ask("COMMIT"), "error 20")
    outcome("the write", admin.ask(WRITTEN + " FOR UPDATE"), "1")


def named_locks(server, outcome, admin):
    server.chapter("3. GET_LOCK")
    a, b = server.begin(), Session(server)
    take = "SELECT GET_LOCK('a', 0)"
    outcome("the first writer", a.ask(take), "1")
    outcome("a second writer under the same lease", b.ask(take), "0")
    a.ask("COMMIT")
    outcome("a takeover after the first writer's commit", b.ask(take), "0")
    a.ask("START TRANSACTION", WRITE.format(3), "DO RELEASE_ALL_LOCKS()")
    outcome("a takeover before the writer's commit, after RELEASE_ALL_LOCKS", b.ask(take), "1")


def counter(server, outcome, admin):
    server.chapter("4. A counter in the row")
    count = "UPDATE one SET n = n + 1 WHERE k = 'a' AND token = 7"
    server.begin().ask(count)
    for who, sql in ("second writer", count), ("renewal", RENEW.format("one")), (
            "takeover", "SELECT k FROM one WHERE k = 'a' FOR UPDATE"):
        outcome(f"a {who} waits", server.begin().waits(sql), "True")


def index_record(server, outcome, admin):
    server.chapter("5. One row; the check locks its record in a covering index")
    a, b, c = checked(server, CHECK_IND), Session(server), server.begin()
    outcome("a renewal waits", b.waits(RENEW.format("ind")), "False")
    b.answer()
    outcome("FOR UPDATE by the primary key waits", c.waits("SELECT k FROM ind WHERE k = 'a' FOR UPDATE"), "False")
    c.answer()
    outcome("the write of a new token waits", c.waits("UPDATE ind SET token = 8 WHERE k = 'a'"), "True")
    outcome("a renewal waits meanwhile", b.waits(RENEW.format("ind")), "True")
    a.ask("COMMIT"), c.answer(), c.ask("ROLLBACK"), b.answer()
    checked(server, CHECK_IND.replace("SELECT token", "SELECT token + 0 * ISNULL(expires)"))
    outcome("a renewal waits, if the check reads one more column", b.waits(RENEW.format("ind")), "True")


def bounds(server, outcome, admin):
    server.chapter("Bounds, and clients that vanish")
    for clause, expected in ("FOR SHARE", "1064"), ("FOR UPDATE OF lease", "1064"), ("FOR UPDATE SKIP LOCKED", "^a$"), (
            "LOCK IN SHARE MODE SKIP LOCKED", "^a$"), ("LOCK IN SHARE MODE NOWAIT", "^a$"):
        outcome(clause, Session(server).ask(f"SELECT k FROM lease WHERE k = 'a' {clause}")[:10], expected)
    b = Session(server)
    for how, bound in (signal.SIGSTOP, "idle_transaction_timeout = 1"), (signal.SIGSTOP, "wait_timeout = 1"), (
            signal.SIGKILL, "wait_timeout = 28800"):
        a = checked(server)
        a.ask("SET " + bound)
        a.end(how)
        begun = time.monotonic()
        b.ask(LOCK)
        outcome(f"after {how.name} of a client with {bound}, seconds until its row is free",
                round(time.monotonic() - begun, 1), r"^[01]\.")
    a = checked(server)
    for bound in "max_statement_time = 0.05", "innodb_lock_wait_timeout = 0", "innodb_lock_wait_timeout = 1":
        begun = time.monotonic()
        said = b.ask("START TRANSACTION", WRITE.format(4), f"SET STATEMENT {bound} FOR {LOCK}")
        took = time.monotonic() - begun
        outcome(f"a wait with {bound}, {took:.2f} s", said, "1969|1205")
        outcome("the write before it, in the same transaction", b.ask(WRITTEN), "4")
        b.ask("ROLLBACK")
    a.ask(WRITE.format(6))
    b.waits(LOCK)
    blocker = admin.ask("SELECT t.trx_mysql_thread_id FROM information_schema.innodb_lock_waits w"
                        " JOIN information_schema.innodb_trx t ON t.trx_id = w.blocking_trx_id")
    outcome("the one who is waited for is known", blocker == a.id, "True")
    admin.ask(f"KILL {blocker}")
    outcome("whoever waited has the row after KILL", b.answer(), "a")
    outcome("and the write is gone", admin.ask(WRITTEN + " FOR UPDATE"), "0")

    server.chapter("Lost replies")
    admin.ask(EXPIRE)
    a, b, c = checked(server), Session(server), Session(server)
    b.waits("CALL take(5)")
    b.end()
    outcome("a takeover's client is killed while it waits; the repeat waits", c.waits("CALL take(5)"), "True")
    a.ask("COMMIT")
    outcome("the repeat is told", c.answer(), "granted 8")
    outcome("the token on record", admin.ask("SELECT token FROM lease WHERE k = 'a'"), "8")


with Server() as started:
    for part in one_row, two_rows, transactions, named_locks, counter, index_record, bounds:
        part(started, started.outcome, started.admin)
    print(f"\n{len(started.surprises)} outcomes were not expected")
sys.exit(bool(started.surprises))
