package dev.leasehold.remote.api;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The commands on a key. The word is the last segment of the path, and the verb in a batch. */
public enum LeaseVerb {
  ACQUIRE(Access.HOLD),
  RENEW(Access.HOLD),
  RELEASE(Access.HOLD),
  ABANDON(Access.HOLD),
  HANDOVER(Access.HOLD),
  REVOKE(Access.OPERATE),
  REOPEN(Access.OPERATE);

  private final Access access;

  LeaseVerb(Access access) {
    this.access = access;
  }

  public Access access() {
    return access;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<LeaseVerb> of(String word) {
    return Arrays.stream(values()).filter(verb -> verb.word().equals(word)).findFirst();
  }

  static String[] words() {
    return Arrays.stream(values()).map(LeaseVerb::word).toArray(String[]::new);
  }
}
