"""A MariaDB server for locks.py and costs.py, and sessions on it that are driven step by step.

The server runs in a temporary folder, without a network port, and is removed with it at the end. Needed on
the path: mariadbd, mariadb-install-db, mariadb (Debian: mariadb-server), and a user who is not root.
"""
import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Server:
    """Started on entry, stopped on exit. `admin` is a session that stays."""

    def __init__(self):
        self.sessions, self.surprises = [], []

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        path = self.folder.name
        self.client = ["mariadb", "--no-defaults", "-S", path + "/s", "-u", "root"]
        subprocess.run(["mariadb-install-db", "--no-defaults", f"--datadir={path}/data",
                        "--auth-root-authentication-method=normal"], check=True, stdout=subprocess.DEVNULL)
        self.process = subprocess.Popen([
            "mariadbd", "--no-defaults", f"--datadir={path}/data", f"--socket={path}/s", f"--log-error={path}/log",
            "--skip-networking", "--innodb-flush-log-at-trx-commit=1"], stderr=subprocess.DEVNULL)
        try:
            self.prepare()
        except BaseException:
            self.__exit__()
            raise
        return self

    def prepare(self):
        while subprocess.run(self.client + ["-e", "DO 0"], stderr=subprocess.DEVNULL).returncode:
            if self.process.poll() is not None:
                raise SystemExit("mariadbd did not start")
            time.sleep(0.2)
        with open(HERE + "/tables.sql", encoding="ascii") as tables:
            subprocess.run(self.client, stdin=tables, check=True)
        self.admin = Session(self)
        self.sessions.remove(self.admin)
        print(self.admin.ask("SELECT VERSION(), @@innodb_flush_log_at_trx_commit, @@tx_isolation"))

    def __exit__(self, *_):
        self.end_sessions()
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    def end_sessions(self):
        while self.sessions:
            self.sessions.pop().end()

    def chapter(self, title):
        self.end_sessions()
        self.admin.ask("CALL fresh()")
        print("\n" + title, flush=True)

    def outcome(self, what, said, expected):
        right = re.search(expected, str(said))
        print(f"{what}: {said}" + ("" if right else f"   NOT EXPECTED, BUT {expected}"), flush=True)
        if not right:
            self.surprises.append(what)

    def begin(self, isolation="READ COMMITTED"):
        session = Session(self)
        session.ask("SET innodb_lock_wait_timeout = 20", "SET SESSION TRANSACTION ISOLATION LEVEL " + isolation,
                    "START TRANSACTION")
        return session


class Session:
    """A client process: statements go in, and lines come out up to a mark."""

    def __init__(self, server):
        self.server, self.lines, self.marks = server, queue.Queue(), 0
        self.process = subprocess.Popen(server.client + ["-BNnf", "--skip-reconnect", "x"], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        threading.Thread(target=self.read, daemon=True).start()
        server.sessions.append(self)
        self.id = self.ask("SELECT CONNECTION_ID()")

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, sql):
        self.marks += 1
        self.process.stdin.write(f"{sql};\nSELECT 'mark {self.marks}';\n")
        self.process.stdin.flush()
        return self

    def answer(self):
        said = []
        while (line := self.lines.get(timeout=60)) not in (None, f"mark {self.marks}"):
            if line.startswith("ERROR"):
                said = [re.sub(r"ERROR (\d+).*?: (.*)", r"error \1 (\2)", line)]
                if re.match("error (1927|2006|2013)", said[0]):
                    break  # disconnected: no mark will follow
            else:
                said.append(line.replace("\t", " "))
        return " ".join(said) or "nothing"

    def ask(self, *statements):
        for sql in statements:
            said = self.send(sql).answer()
        return said

    def waits(self, sql):
        """Sends a statement, and tells whether it waits for a row lock. Its answer is still to be taken."""
        self.send(sql)
        while self.lines.empty():
            time.sleep(0.12)  # innodb_trx is a cache of 0.1 s
            if self.server.admin.ask("SELECT trx_state FROM information_schema.innodb_trx"
                                     f" WHERE trx_mysql_thread_id = {self.id}") == "LOCK WAIT":
                return True
        return False

    def end(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        if how == signal.SIGKILL:
            self.process.wait()
