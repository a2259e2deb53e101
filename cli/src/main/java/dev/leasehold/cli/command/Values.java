package dev.leasehold.cli.command;

import dev.leasehold.cli.config.Value;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import java.time.Duration;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses and prints the values of the command line. */
public final class Values {
  private Values() {}

  public static void register(CommandLine line) {
    line.registerConverter(LeaseKey.class, reading(LeaseKey::new));
    line.registerConverter(Token.class, reading(Token::parse));
    line.registerConverter(Version.class, reading(Version::parse));
    line.registerConverter(Instance.class, reading(Instance::of));
    line.registerConverter(InstanceId.class, reading(InstanceId::new));
    line.registerConverter(RequestId.class, reading(RequestId::new));
    line.registerConverter(Duration.class, reading(Value::duration));
  }

  private static <T> ITypeConverter<T> reading(Function<String, T> read) {
    return text -> {
      try {
        return read.apply(text);
      } catch (IllFormedException e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }

  /** A duration for people: in whole units where that loses little precision. */
  public static String text(long millis) {
    if (millis < Duration.ofSeconds(10).toMillis() && millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = Math.ceilDiv(millis, 1_000);
    if (seconds >= 7_200 || isWhole(seconds, 3_600)) {
      return Math.ceilDiv(seconds, 3_600) + "h";
    }
    return seconds >= 300 || isWhole(seconds, 60) ? Math.ceilDiv(seconds, 60) + "m" : seconds + "s";
  }

  private static boolean isWhole(long seconds, long unit) {
    return seconds > 0 && seconds % unit == 0;
  }
}
