package dev.leasehold.cli.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the launcher as a process. */
final class Processes {
  /** The repository that contains this module. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private Processes() {}

  /** The output and the exit code of a process. */
  record Result(int code, String out, String err) {}

  /** A running process, and the files that it writes to. */
  record Started(Process process, Path out, Path err) {
    Result result() {
      try {
        int code = process.waitFor();
        return new Result(code, Files.readString(out), Files.readString(err));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        process.destroyForcibly();
        throw new IllegalStateException(e);
      }
    }
  }

  static Started start(Path folder, Map<String, String> environment, List<String> command)
      throws IOException {
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(environment);
    return new Started(
        builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start(), out, err);
  }

  static Result run(Path folder, Map<String, String> environment, Path program, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(args));
    return start(folder, environment, command).result();
  }

  /** Creates a program of a few lines. */
  static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, ("#!/bin/sh\n" + text + "\n").getBytes(StandardCharsets.UTF_8));
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + " cannot be made executable");
    }
  }
}
