package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers the last grants that this process was given. A store that no longer knows one of them,
 * or grants the same number again, has lost writes.
 */
final class Witness {
  static final int KEPT = 1_000;

  private final Map<LeaseKey, Token> granted = new LinkedHashMap<>();
  private Optional<String> doubt = Optional.empty();

  /** Why the store is not to be used, once it has shown that it lost writes. */
  Optional<String> doubt() {
    return doubt;
  }

  void sawGrant(LeaseKey key, Token token) {
    Token before = granted.get(key);
    if (before != null && !token.isAbove(before)) {
      doubt(key, "granted token " + token + " although token " + before + " was granted before");
      return;
    }
    granted.remove(key);
    granted.put(key, token);
    if (granted.size() > KEPT) {
      granted.remove(granted.keySet().iterator().next());
    }
  }

  void sawUnknown(LeaseKey key, Token token) {
    doubt(key, "no longer knows token " + token + ", which it granted to this process");
  }

  private void doubt(LeaseKey key, String what) {
    doubt =
        Optional.of(
            "the store "
                + what
                + " for "
                + key
                + ": it has lost writes, by a restored backup or a failover. Advance its"
                + " incarnation above every one in use, then open it again");
  }
}
