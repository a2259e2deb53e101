package dev.leasehold.verification.simulation;

/** What goes wrong in a simulation. */
public enum FaultKind {
  /** A process is killed, and a new one starts in its place. */
  PROCESS_CRASHED,
  /** A process is suspended while time goes on. */
  PROCESS_PAUSED,
  /** A process is suspended between its check of the trust and the write after it. */
  PAUSED_BEFORE_WRITE,
  /** A process is suspended between reading the ticker for a renewal and sending it. */
  PAUSED_IN_KEEPER,
  /** A thread is suspended, or must wait, while it passes a batch to the wire. */
  SENDING_BLOCKED,
  /** A machine sleeps: its ticker counts the time afterwards, its timers do not. */
  MACHINE_SUSPENDED,
  /** The wall clock of a process is set, ahead or back. */
  WALL_CLOCK_STEPPED,
  REQUEST_LOST,
  REQUEST_DUPLICATED,
  REQUEST_LATE,
  REPLY_LOST,
  REPLY_LATE,
  /** The store throws, or fails at once, instead of accepting a batch. */
  STORE_BROKEN,
  /** One command of a batch is answered Failed, applied or not. */
  COMMAND_FAILED,
  /** A batch fails, with or without having been applied. */
  BATCH_FAILED,
  STORE_SLOW,
  /** The store is gone for less than most grants last. */
  STORE_OUTAGE,
  /** The store is gone for longer than any grant lasts. */
  LONG_OUTAGE,
  CLOCK_STEPPED_BACK,
  /** The store's clock goes forward by less than any margin. */
  CLOCK_STEPPED_FORWARD,
  /** The store's clock goes forward by more than the protocol assumes: only tokens are judged. */
  CLOCK_LEAPT,
  /** A backup is restored, and the incarnation advanced. */
  BACKUP_RESTORED,
  /**
   * A backup is restored without an advance. Until the advance, a target without a fence is
   * protected only by holders that notice.
   */
  ROLLED_BACK_SILENTLY,
  /** Renewals of one lease hang, with all others in the same batch. */
  RENEWAL_HUNG,
  /** Commands of one process hang; its renewals do not. */
  COMMANDS_HUNG,
  /** Every process asks again and again for one key that another holds. */
  CONTENDERS_CROWDED,
  /** An operator deletes rows of dead keys, and takes time to commit, while others ask for them. */
  ROWS_DELETED_BY_HAND,
  HINT_LOST,
  /**
   * A hint arrives after its key has changed again, and often when no process watches the key any
   * more.
   */
  HINT_LATE,
  HINT_DOUBLED,
  /**
   * A hint arrives at a process that did not watch, or for another key, or for a change that frees
   * no key.
   */
  HINT_ASTRAY,
  /** A write reaches its target long after it was sent. */
  WRITE_LATE
}
