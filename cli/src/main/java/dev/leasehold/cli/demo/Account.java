package dev.leasehold.cli.demo;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import java.util.List;

/** An account at one place, as one process sees it. */
public interface Account extends AutoCloseable {
  /** Prepares the place before holders start. The director calls it once. */
  void prepare() throws Exception;

  Admission seal(Claim claim) throws Exception;

  /** The account's log, the oldest entry first. */
  List<Entry> read() throws Exception;

  /**
   * Writes without checking the lease again.
   *
   * @param log the log as the writer has read it, and its new entry at the end
   */
  Admission write(Permit permit, List<Entry> log) throws Exception;

  @Override
  void close();
}
