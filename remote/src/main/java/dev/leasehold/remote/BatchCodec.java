package dev.leasehold.remote;

import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Members;
import java.util.List;

/** The commands that a {@link BatchCall} carries, and their outcomes. */
interface BatchCodec<K, C, O> {
  CommandKind<K, C, O> kind();

  String path();

  void write(JsonOut out, List<C> commands);

  List<O> read(Members answer, int commands);

  /** The outcome of a command that the server refuses from this sender for good. */
  O rejected(String why);

  /** Whether a server reports that it did nothing, so that another server may be asked. */
  boolean isNothingDone(O outcome);
}
