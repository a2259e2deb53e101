package dev.leasehold.server.security;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Texts;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The stored part of an API key. The key itself is {@code lh_ID_SECRET}: it is shown once, when it
 * is made, and only the SHA-256 of its secret is stored. The secret has 256 random bits, so a slow
 * hash would add nothing.
 */
public record ApiKey(
    String id, String name, String hash, Set<Permission> permissions, List<String> prefixes) {
  public static final int MAX_NAME = 100;

  private static final String START = "lh_";
  private static final int ID_BYTES = 8;
  private static final int SECRET_BYTES = 32;

  public ApiKey {
    Texts.requireHex("the id of an API key", id, 2 * ID_BYTES);
    Texts.requireOneLine("the name of an API key", name, 1, MAX_NAME);
    Texts.requireHex("the hash of an API key", hash, 2 * SECRET_BYTES);
    permissions = Set.copyOf(permissions);
    prefixes = List.copyOf(prefixes);
    if (permissions.isEmpty() || prefixes.isEmpty()) {
      throw new IllFormedException("an API key is for at least one verb and one prefix");
    }
    for (String prefix : prefixes) {
      if (!prefix.isEmpty()) {
        Texts.requireVisibleAscii("the prefix of an API key", prefix, 255);
      }
      if (prefix.indexOf(',') >= 0) {
        throw new IllFormedException("the prefix of an API key has no comma");
      }
    }
  }

  /** A new key, and the text that its owner is shown once. */
  public record Made(ApiKey key, String text) {
    @Override
    public String toString() {
      return "API key " + key.id();
    }
  }

  public static Made make(String name, Set<Permission> permissions, List<String> prefixes) {
    byte[] random = new byte[ID_BYTES + SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    String id = HexFormat.of().formatHex(random, 0, ID_BYTES);
    String secret = HexFormat.of().formatHex(random, ID_BYTES, random.length);
    ApiKey key = new ApiKey(id, name, sha256(secret), permissions, prefixes);
    return new Made(key, START + id + "_" + secret);
  }

  /** The parts of the key in a request. */
  record Brought(String id, String secret) {
    static Optional<Brought> of(String text) {
      int idEnd = START.length() + 2 * ID_BYTES;
      boolean wellFormed =
          text.length() == idEnd + 1 + 2 * SECRET_BYTES
              && text.startsWith(START)
              && text.charAt(idEnd) == '_'
              && text.substring(START.length(), idEnd).matches("[0-9a-f]+")
              && text.substring(idEnd + 1).matches("[0-9a-f]+");
      return wellFormed
          ? Optional.of(
              new Brought(text.substring(START.length(), idEnd), text.substring(idEnd + 1)))
          : Optional.empty();
    }

    @Override
    public String toString() {
      return "key " + id;
    }
  }

  /** Compares in constant time, so that the time does not tell how much of the secret was right. */
  boolean isOpenedBy(String secret) {
    return MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII),
        sha256(secret).getBytes(StandardCharsets.US_ASCII));
  }

  Principal principal() {
    return new Principal(name, permissions, prefixes);
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
