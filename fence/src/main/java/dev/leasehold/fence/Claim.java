package dev.leasehold.fence;

/**
 * What somebody brings to a target: under which key it acts, with which token, and, for people, who
 * it says it is. Nothing is decided by who.
 *
 * @param who one line of 1 to 255 characters, for the trail of refusals
 */
public record Claim(LeaseKey key, Token token, String who) {
  public static final int MAX_WHO = 255;
  public static final String UNKNOWN = "unknown";

  public Claim {
    Texts.requireOneLine("who", who, 1, MAX_WHO);
  }

  public static Claim of(LeaseKey key, Token token) {
    return new Claim(key, token, UNKNOWN);
  }

  public Claim by(String newWho) {
    return new Claim(key, token, newWho);
  }
}
