package dev.leasehold.server.security;

import dev.leasehold.fence.IllFormedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A certificate chain and its private key, as two PEM files: the way most tools write them. */
public final class PemTls {
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
  private static final String ALIAS = "leasehold";

  private PemTls() {}

  /** A key store with this one entry; its password is empty. */
  public static KeyStore read(Path certificates, Path privateKey) {
    PrivateKey key = from("private key", privateKey, PemTls::key);
    Certificate[] chain = from("chain of certificates", certificates, PemTls::chain);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(ALIAS, key, new char[0], chain);
      return store;
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new IllFormedException(
          "the certificates in "
              + certificates
              + " and the private key in "
              + privateKey
              + " do not go together");
    }
  }

  @FunctionalInterface
  private interface Reading<T> {
    T of(Path file) throws GeneralSecurityException, IOException;
  }

  private static <T> T from(String what, Path file, Reading<T> reading) {
    try {
      return reading.of(file);
    } catch (IllFormedException e) {
      throw e;
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new IllFormedException(
          "TLS needs a chain of certificates and its private key as PEM files; the "
              + what
              + " "
              + file
              + " cannot be read: is it there, and PEM?");
    }
  }

  private static Certificate[] chain(Path file) throws GeneralSecurityException, IOException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)))
        .toArray(new Certificate[0]);
  }

  private static PrivateKey key(Path file) throws GeneralSecurityException, IOException {
    String text = Files.readString(file, StandardCharsets.US_ASCII);
    Matcher matcher = PRIVATE_KEY.matcher(text);
    if (!matcher.find()) {
      throw otherKey(file, text);
    }
    PKCS8EncodedKeySpec spec =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
    InvalidKeySpecException none = new InvalidKeySpecException("a private key of no known kind");
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        // The file does not name the algorithm, so each is tried.
        none.addSuppressed(e);
      }
    }
    throw none;
  }

  /** Names another format of private key, and the command that converts it. */
  private static IllFormedException otherKey(Path file, String text) {
    String why = "no private key is in it";
    if (text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")) {
      why = "it is encrypted; openssl pkcs8 -topk8 -nocrypt -in " + file + " writes it in the open";
    } else if (text.contains(" PRIVATE KEY-----")) {
      why =
          "another kind is in it; openssl pkcs8 -topk8 -nocrypt -in "
              + file
              + " turns it into that";
    }
    return new IllFormedException(
        "TLS needs an unencrypted PKCS #8 private key (BEGIN PRIVATE KEY): " + file + ": " + why);
  }
}
