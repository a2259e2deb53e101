package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A self-signed certificate and its key, made by the JDK's own tool. */
record Certificates(Path certificate, Path key, KeyStore made) {
  static Certificates of(Path folder, String host)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path file = folder.resolve("made-" + host + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "a",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host,
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    char[] password = "changeit".toCharArray();
    KeyStore made = KeyStore.getInstance(file.toFile(), password);
    Path certificate = folder.resolve(host + ".cert.pem");
    Path key = folder.resolve(host + ".key.pem");
    writePem(certificate, "CERTIFICATE", made.getCertificate("a").getEncoded());
    writePem(key, "PRIVATE KEY", made.getKey("a", password).getEncoded());
    return new Certificates(certificate, key, made);
  }

  private static void writePem(Path file, String what, byte[] bytes) throws IOException {
    Files.writeString(
        file,
        "-----BEGIN "
            + what
            + "-----\n"
            + Base64.getMimeEncoder().encodeToString(bytes)
            + "\n-----END "
            + what
            + "-----\n");
  }
}
