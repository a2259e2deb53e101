package dev.leasehold.kernel.model;

import dev.leasehold.fence.Texts;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The holder's secret: 128 random bits, made at process start, written as 32 hex digits. A process
 * that presents it is that instance, so no store keeps it, lists it or logs it: a store knows only
 * its {@link #id()}. Two processes with one host name are two instances; a process that restarts is
 * a new one.
 */
public final class Instance {
  private static final int BYTES = 16;

  private final String secret;
  private final InstanceId id;

  private Instance(String secret) {
    this.secret = secret;
    this.id = new InstanceId(sha256(secret));
  }

  public static Instance random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new Instance(HexFormat.of().formatHex(bytes));
  }

  /** Continues another process's grants: the 32 hex digits of its {@link #secret()}. */
  public static Instance of(String secret) {
    Texts.requireHex("an instance", secret, 2 * BYTES);
    return new Instance(secret);
  }

  /** The public id, which may be stored and shown. */
  public InstanceId id() {
    return id;
  }

  /** The secret, only for the process that must prove its identity with it. */
  public String secret() {
    return secret;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Instance that && id.equals(that.id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  /** Shows the id, so that the secret does not reach a log by accident. */
  @Override
  public String toString() {
    return "instance of id " + id;
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
