package dev.leasehold.verification.simulation;

/**
 * One transaction of one connection. What it writes is there for others from its commit on, all at
 * once, and its locks are held until then.
 */
final class Transaction {
  private final Client client;
  private boolean over;

  /** Who has begun it: a process that may stand still in the middle of it, or die. */
  interface Client {
    boolean isDead();

    boolean isRunning();
  }

  /** One that never fails: an operator, or a request that has left its sender behind. */
  static final Client SOMEBODY =
      new Client() {
        @Override
        public boolean isDead() {
          return false;
        }

        @Override
        public boolean isRunning() {
          return true;
        }
      };

  Transaction(Client client) {
    this.client = client;
  }

  Client client() {
    return client;
  }

  /** Committed or rolled back; or its connection is gone, and the database has rolled it back. */
  boolean isOver() {
    return over;
  }

  void end() {
    over = true;
  }
}
