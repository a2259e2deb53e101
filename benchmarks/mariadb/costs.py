#!/usr/bin/env python3
"""What the checks of docs/decisions/0026 cost the writers under one lease, and its renewals.

usage: costs.py SECONDS   of each of 45 measurements. What it needs is said in server.py; and mariadb-slap.

Not by procedures in the server: MariaDB waits for the flush of a commit only before it answers the client.
"""
import subprocess
import sys
import time

from server import Server, Session

CHECKS = {
    "none": "SELECT 1 FROM one WHERE k = 'a' AND token = 7",
    "one": "SELECT 1 FROM one WHERE k = 'a' AND token = 7 LOCK IN SHARE MODE",
    "split": "SELECT 1 FROM store STRAIGHT_JOIN lease WHERE id = 1 AND k = 'a' AND token = 7 AND ended = 0"
             " LOCK IN SHARE MODE",
    "index": "SELECT 1 FROM ind FORCE INDEX (fence) WHERE k = 'a' AND token = 7 AND ended = 0 LOCK IN SHARE MODE",
    "counter": "UPDATE one SET n = n + 1 WHERE k = 'a' AND token = 7",
}
RENEWED = {"split": "beat", "index": "ind"}


def measure(server, design, writers, asleep, seconds):
    renew = (f"UPDATE {RENEWED.get(design, 'one')} SET expires = SYSDATE(6) + INTERVAL 30 SECOND"
             " WHERE k = 'a' AND token = 7")
    change = [CHECKS[design], "UPDATE paid SET times = times + 1 WHERE id = CONNECTION_ID() % 10000"]
    change[1:1] = [f"DO SLEEP({asleep / 1000})"] if asleep else []
    keeper, renewals = Session(server), []
    slap = subprocess.Popen(
        ["mariadb-slap"] + server.client[1:] + [
            "--no-drop", "--create-schema=x", f"--concurrency={writers}", "--number-of-queries=100000000",
            "--delimiter=;", "--query=" + ";".join(["START TRANSACTION", *change, "COMMIT"])],
        stdout=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        done, begun = -int(server.admin.ask("SELECT SUM(times) FROM paid")), time.monotonic()
        while time.monotonic() - begun < seconds:
            sent = time.monotonic()
            keeper.ask(renew)
            renewals.append((time.monotonic() - sent) * 1000)
            time.sleep(0.02)
        done += int(server.admin.ask("SELECT SUM(times) FROM paid"))
        rate = done / (time.monotonic() - begun)
    finally:
        slap.kill()
        slap.wait()
        server.end_sessions()
    p50, p99 = (sorted(renewals)[int(len(renewals) * part)] for part in (0.5, 0.99))
    return f"{rate:5.0f}/s, renewal p50 {p50:.1f} p99 {p99:.0f} ms"


with Server() as started:
    found = {}
    for name in list(CHECKS) * 3:
        for load in (1, 0), (32, 0), (32, 5):
            found.setdefault((*load, name), []).append(measure(started, name, *load, int(sys.argv[1])))
    print("A transaction checks, sleeps, updates a row of its own and commits; a renewal every 20 ms beside it")
    for (count, pause, name), runs in sorted(found.items(), key=lambda each: each[0][:2]):
        print(f"{count:2} writers, {pause} ms asleep, {name:8}", " | ".join(runs))
