package dev.leasehold.fence;

import java.util.Optional;

/**
 * What a holder brings to a target: the key under which it acts, its token and, for people, its
 * name. No decision depends on the name.
 *
 * <p>A grant is a token and an instance. A check that sees the grant's record, as checks at effect
 * and guarded tables do, compares the instance id as well, where the claim has one: a store that
 * has lost writes may issue a number again, to another instance. A mark compares tokens only. So
 * pass a claim on as a whole: a target that gets only key and token compares only these.
 *
 * @param who one line of 1 to 255 characters, for the trail of refusals
 * @param instanceId the public id of the instance that the token was issued to, as 64 hex digits:
 *     the SHA-256 of its secret, never the secret itself
 */
public record Claim(LeaseKey key, Token token, String who, Optional<String> instanceId) {
  public static final int MAX_WHO = 255;
  public static final String UNKNOWN = "unknown";
  private static final int INSTANCE_ID_DIGITS = 64;

  public Claim {
    Texts.requireOneLine("who", who, 1, MAX_WHO);
    instanceId.ifPresent(text -> Texts.requireHex("an instance id", text, INSTANCE_ID_DIGITS));
  }

  /** A claim without an instance id, for a token that was passed on alone. */
  public Claim(LeaseKey key, Token token, String who) {
    this(key, token, who, Optional.empty());
  }

  public static Claim of(LeaseKey key, Token token) {
    return new Claim(key, token, UNKNOWN);
  }

  public Claim by(String newWho) {
    return new Claim(key, token, newWho, instanceId);
  }

  /** The same claim, with the public id of its instance. */
  public Claim ofInstance(String newInstanceId) {
    return new Claim(key, token, who, Optional.of(newInstanceId));
  }

  /**
   * Whether the token may belong to a grant to this instance; true if the claim names no instance.
   */
  public boolean isOfInstance(String granted) {
    return instanceId.isEmpty() || instanceId.get().equals(granted);
  }
}
