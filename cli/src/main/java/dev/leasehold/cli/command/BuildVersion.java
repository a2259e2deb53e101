package dev.leasehold.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** The version of the build that this class belongs to. */
public final class BuildVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"leasehold " + number()};
  }

  public static String number() {
    try (InputStream in = BuildVersion.class.getResourceAsStream("version.txt")) {
      if (in == null) {
        throw new IllegalStateException("the build left no version.txt");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("version.txt cannot be read", e);
    }
  }
}
