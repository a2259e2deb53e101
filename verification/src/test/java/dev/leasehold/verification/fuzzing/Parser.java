package dev.leasehold.verification.fuzzing;

import dev.leasehold.cli.config.ListenAddress;
import dev.leasehold.cli.config.Value;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.EventTextAccess;
import dev.leasehold.remote.RemoteStore;
import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.Detail;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.JsonIn;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Ledgers;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.remote.wire.Outcomes;
import dev.leasehold.remote.wire.Problem;
import dev.leasehold.remote.wire.Readings;
import dev.leasehold.remote.wire.StoreFacts;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.security.Gatekeeper;
import dev.leasehold.server.security.MemoryApiKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The parsers of foreign input. */
enum Parser {
  BATCH {
    @Override
    void take(byte[] input) {
      List<Command> read = batch(input);
      comesBack(read, out -> Commands.writeBatch(out, read), Parser::batch);
    }
  },
  ACQUIRE {
    @Override
    void take(byte[] input) {
      Command.Acquire read = Commands.readWaiting(JsonIn.of(input).object()).acquire();
      comesBack(read, out -> Commands.write(out, read), Parser::one);
    }
  },
  RENEWALS {
    @Override
    void take(byte[] input) {
      List<Command> read = Commands.readRenewals(JsonIn.of(input), (verb, key) -> {});
      comesBack(read, out -> Commands.writeBatch(out, read), Parser::batch);
    }
  },
  OUTCOME {
    @Override
    void take(byte[] input) {
      Outcome read = Outcomes.read(Json.read(input));
      comesBack(
          read,
          out -> Outcomes.write(out, new LeaseKey("lock/a"), read, Detail.RECORD),
          bytes -> Outcomes.read(Json.read(bytes)));
    }
  },
  PAGE {
    @Override
    void take(byte[] input) {
      LeasePage read = Readings.readPage(Json.read(input));
      comesBack(
          read,
          out -> Readings.writePage(out, read, Detail.RECORD),
          bytes -> Readings.readPage(Json.read(bytes)));
    }
  },
  LEDGER_ENTRIES {
    @Override
    void take(byte[] input) {
      List<LedgerEntry> read = entries(input);
      comesBack(read, out -> Ledgers.write(out, read), Parser::entries);
    }
  },
  LEDGER {
    @Override
    void take(byte[] input) {
      LedgerReading read = Ledgers.readReading(Json.read(input));
      comesBack(
          read, out -> Ledgers.write(out, read), bytes -> Ledgers.readReading(Json.read(bytes)));
    }
  },
  STORE_FACTS {
    @Override
    void take(byte[] input) {
      each(
          Json.read(input),
          StoreFacts::readAdvance,
          StoreFacts::readPurge,
          StoreFacts::readLimits,
          StoreFacts::readSuspected,
          StoreFacts::readAdvanced,
          StoreFacts::readPurged,
          Problem::read);
    }
  },
  OBJECT {
    @Override
    void take(byte[] input) {
      Json.requireWellFormed(input);
    }
  },
  EVENTS {
    @Override
    void take(byte[] input) {
      EventTextAccess.read(text(input));
    }
  },
  KEY {
    @Override
    void take(byte[] input) {
      LeaseKey read = new LeaseKey(text(input));
      same(read, new LeaseKey(read.text()));
    }
  },
  TOKEN {
    @Override
    void take(byte[] input) {
      Token read = Token.parse(text(input));
      same(read, Token.parse(read.toString()));
    }
  },
  AUTHORIZATION {
    @Override
    void take(byte[] input) {
      Gatekeeper gatekeeper = new Gatekeeper(new MemoryApiKeys(), true, Ticker.system());
      gatekeeper.admit(Optional.of(text(input))).toCompletableFuture().join();
    }
  },
  ADDRESSES {
    @Override
    void take(byte[] input) {
      var unused = RemoteStore.at(text(input).split(",", -1));
    }
  },
  DURATION {
    @Override
    void take(byte[] input) {
      Duration read = Value.duration(text(input));
      same(read, Duration.ofMillis(read.toMillis()));
      if (read.isNegative()) {
        throw new AssertionError("read as " + read);
      }
    }
  },
  LISTEN {
    @Override
    void take(byte[] input) {
      ListenAddress read = ListenAddress.of(text(input));
      same(read, ListenAddress.of(read.toString()));
      var unused = LeaseholdServer.on(STORE).host(read.host()).port(read.port());
    }
  },
  HISTORY {
    @Override
    void take(byte[] input) {
      InputFiles.history(input);
    }
  },
  PEM {
    @Override
    void take(byte[] input) {
      InputFiles.pem(input);
    }
  };

  /** A store that is never used. */
  private static final LeaseStore STORE =
      new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);

  /** Parses the input, or throws what the parser throws. */
  abstract void take(byte[] input);

  /** A refusal by a declared exception is a success too. */
  void takeOrRefuse(byte[] input) {
    refusing(() -> take(input));
  }

  /** The declared refusal; its message is for the sender of the input. */
  static void refusing(Runnable reading) {
    try {
      reading.run();
    } catch (BadJsonException | IllFormedException e) {
      if (String.valueOf(e.getMessage()).isBlank()) {
        throw new AssertionError("a refusal without a word", e);
      }
    }
  }

  private static String text(byte[] input) {
    return new String(input, StandardCharsets.UTF_8);
  }

  private static Operator operator(Optional<String> name) {
    return new Operator(name.orElse("nobody"));
  }

  private static List<Command> batch(byte[] bytes) {
    return Commands.readBatch(JsonIn.of(bytes), Parser::operator, (verb, key) -> {});
  }

  private static List<LedgerEntry> entries(byte[] bytes) {
    return Ledgers.readEntries(JsonIn.of(bytes), entry -> {});
  }

  private static Command.Acquire one(byte[] bytes) {
    return Commands.readWaiting(JsonIn.of(bytes).object()).acquire();
  }

  private static <T> void comesBack(T read, Consumer<JsonOut> write, Function<byte[], T> reader) {
    same(read, reader.apply(Json.write(write)));
  }

  private static void same(Object read, Object again) {
    if (!read.equals(again)) {
      throw new AssertionError("read " + read + ", and after writing it " + again);
    }
  }

  @SafeVarargs
  private static void each(Members members, Function<Members, ?>... readers) {
    for (Function<Members, ?> reader : readers) {
      refusing(
          () -> {
            var unused = reader.apply(members);
          });
    }
  }
}
