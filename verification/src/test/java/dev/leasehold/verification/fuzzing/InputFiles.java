package dev.leasehold.verification.fuzzing;

import dev.leasehold.remote.EventTextAccess;
import dev.leasehold.server.security.PemTls;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.verification.history.HistoryFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the input to files, for parsers that read files; each input overwrites the last. */
final class InputFiles {
  private static final byte[] KEY = "-----BEGIN PRIVATE".getBytes(StandardCharsets.US_ASCII);
  private static final Path FOLDER = folder();

  private InputFiles() {}

  private static Path folder() {
    try {
      Path folder = Files.createTempDirectory("leasehold-fuzzing");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path file(String name, byte[] content) {
    try {
      Path file = FOLDER.resolve(name);
      file.toFile().deleteOnExit();
      return Files.write(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void history(byte[] input) {
    List<Event> read = HistoryFile.read(file("history", input));
    Path copy = FOLDER.resolve("copy");
    try {
      Files.deleteIfExists(copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    copy.toFile().deleteOnExit();
    try (HistoryFile written = HistoryFile.create(copy)) {
      read.forEach(written::add);
    }
    if (!HistoryFile.read(copy).equals(read)) {
      throw new AssertionError("read " + read + ", and not the same after writing it");
    }
  }

  /** The part before the private key is the certificates. */
  static void pem(byte[] input) {
    String text = new String(input, StandardCharsets.ISO_8859_1);
    int key = text.indexOf(new String(KEY, StandardCharsets.US_ASCII));
    int end = key < 0 ? text.length() : key;
    byte[] before = text.substring(0, end).getBytes(StandardCharsets.ISO_8859_1);
    byte[] after = text.substring(end).getBytes(StandardCharsets.ISO_8859_1);
    Path certificates = file("certificates.pem", before);
    Parser.refusing(() -> PemTls.read(certificates, file("key.pem", after)));
    EventTextAccess.readCertificates(certificates);
  }
}
