package dev.leasehold.remote.wire;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a client can ask of a key; the word is the end of the path, and the verb in a batch. */
public enum Verb {
  ACQUIRE,
  RENEW,
  RELEASE,
  ABANDON,
  HANDOVER,
  REVOKE,
  REOPEN;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Verb> of(String word) {
    return Arrays.stream(values()).filter(verb -> verb.word().equals(word)).findFirst();
  }

  /** Whether only operators may ask for it. */
  public boolean isForOperators() {
    return this == REVOKE || this == REOPEN;
  }
}
