package dev.leasehold.verification.linearizability;

import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Operations on a store: the verbs of holders and revocation, on two keys by three instances, with
 * so few tokens and request ids that commands collide, repeat each other and come too late. The
 * clock stands still, so that every outcome depends on the order alone.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "who", gen = IntGen.class, conf = "0:2")
@Param(name = "token", gen = IntGen.class, conf = "1:3")
@Param(name = "request", gen = IntGen.class, conf = "0:1")
public abstract class StoreOperations {
  /** Carries out one command. */
  protected abstract Outcome apply(Command command);

  /** What is on record. */
  protected abstract Optional<LeaseRecord> look(int key);

  /** Takes the key. */
  @Operation
  public Outcome acquire(
      @Param(name = "key") int key,
      @Param(name = "who") int who,
      @Param(name = "request") int request) {
    return apply(Operands.acquire(key, who, request));
  }

  /** Gives up the attempt to take it. */
  @Operation
  public Outcome abandon(
      @Param(name = "key") int key,
      @Param(name = "who") int who,
      @Param(name = "request") int request) {
    return apply(Operands.abandon(key, who, request));
  }

  /** Extends a grant. */
  @Operation
  public Outcome renew(
      @Param(name = "key") int key,
      @Param(name = "who") int who,
      @Param(name = "token") int token) {
    return apply(Operands.renew(key, who, token));
  }

  /** Gives a grant back. */
  @Operation
  public Outcome release(
      @Param(name = "key") int key,
      @Param(name = "who") int who,
      @Param(name = "token") int token) {
    return apply(Operands.release(key, who, token));
  }

  /** Passes a grant on to the next instance. */
  @Operation
  public Outcome handOver(
      @Param(name = "key") int key,
      @Param(name = "who") int who,
      @Param(name = "token") int token) {
    return apply(Operands.handOver(key, who, token));
  }

  /** Revokes the key. */
  @Operation
  public Outcome revoke(@Param(name = "key") int key, @Param(name = "request") int request) {
    return apply(Operands.revoke(key, request));
  }

  /** Reads without touching. */
  @Operation
  public Optional<LeaseRecord> read(@Param(name = "key") int key) {
    return look(key);
  }
}
