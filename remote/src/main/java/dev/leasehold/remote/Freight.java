package dev.leasehold.remote;

import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Members;
import java.util.List;

/** What a {@link BatchCall} carries: commands of one sort, and what becomes of them. */
interface Freight<C, O> {
  String path();

  void write(JsonOut out, List<C> commands);

  List<O> read(Members answer, int commands);

  O failed(Certainty certainty, String why);

  /** For good: the server will not have it from this sender. */
  O rejected(String why);

  /** Whether a server says that it has done nothing, and another one might. */
  boolean isNothingDone(O outcome);

  /** Whether an outcome is the last word even if an earlier attempt may still arrive. */
  boolean isLastWord(C command, O outcome);
}
