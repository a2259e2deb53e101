package dev.leasehold.cli.demo;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import java.util.List;

/** An account at one place, as one process sees it. */
interface Account extends AutoCloseable {
  /** What has to be there before holders come; by the director, once. */
  void prepare() throws Exception;

  Admission seal(Claim claim) throws Exception;

  /** Its log, the oldest entry first. */
  List<Entry> read() throws Exception;

  /**
   * Writes without looking at the lease again.
   *
   * @param log what the writer has read, and at its end what it adds
   */
  Admission write(Permit permit, List<Entry> log) throws Exception;

  @Override
  void close();
}
