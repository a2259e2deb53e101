package dev.leasehold.cli.demo;

import java.io.IOException;

/** Where A is stopped, and how it goes on. */
public interface Pause {
  /** Right after A has checked that it holds its lease, and before it begins to write. */
  Pause BEFORE_THE_WRITE =
      new Pause() {
        @Override
        public String toString() {
          return "before the write";
        }
      };

  /** Brings A to the point at which it is stopped. */
  default void approach(HolderProcess a) throws InterruptedException {}

  /**
   * Lets A go on, and gives it the order for its late write.
   *
   * @return the position from which on lines may answer the order
   */
  default int goOn(HolderProcess a, String order) throws IOException, InterruptedException {
    // A finds this order the moment that it goes on.
    int from = a.tell(order);
    a.resume();
    return from;
  }
}
