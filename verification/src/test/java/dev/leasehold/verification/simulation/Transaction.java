package dev.leasehold.verification.simulation;

/**
 * One transaction of one connection. Others see its writes from its commit on, all at once, and its
 * locks are held until then.
 */
final class Transaction {
  private final Client client;
  private boolean over;

  /** Its client: a process that may be suspended in the middle of it, or die. */
  interface Client {
    boolean isDead();

    boolean isRunning();
  }

  /** A client that never fails: an operator, or a request whose sender has given up. */
  static final Client OTHER_CLIENT =
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

  /** Whether it was committed or rolled back, by its client or because its connection was lost. */
  boolean isOver() {
    return over;
  }

  void end() {
    over = true;
  }
}
