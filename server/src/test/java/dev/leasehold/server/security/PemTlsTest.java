package dev.leasehold.server.security;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages about files that are no certificates and keys. */
class PemTlsTest {
  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @ParameterizedTest
  @CsvSource({
    "RSA PRIVATE KEY, openssl pkcs8 -topk8 -nocrypt -in",
    "EC PRIVATE KEY, openssl pkcs8 -topk8 -nocrypt -in",
    "ENCRYPTED PRIVATE KEY, it is encrypted",
    "CERTIFICATE, no private key is in it",
    "PRIVATE KEY, cannot be read"
  })
  void aKeyOfAnotherKindIsNamed(String begin, String said) throws IOException {
    Path key = file("k.pem", "-----BEGIN " + begin + "-----\nAAAA\n-----END " + begin + "-----\n");
    assertThatThrownBy(() -> PemTls.read(folder.resolve("none"), key))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining(key.toString())
        .hasMessageContaining(said);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> PemTls.read(folder.resolve("c"), folder.resolve("k")))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("the private key " + folder.resolve("k"))
        .hasMessageContaining("cannot be read")
        .hasMessageNotContaining(folder.resolve("c").toString());
  }
}
