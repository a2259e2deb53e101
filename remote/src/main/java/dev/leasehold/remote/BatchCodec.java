package dev.leasehold.remote;

import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Members;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * How the commands of one block are sent, and their outcomes read.
 *
 * @param reader reads as many outcomes as it is told that there are commands
 */
record BatchCodec<K, C, O>(
    CommandKind<K, C, O> kind,
    String path,
    BiConsumer<JsonOut, List<C>> writer,
    BiFunction<Members, Integer, List<O>> reader) {}
