package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.store.jdbc.changes.ChangeKind;
import dev.leasehold.store.jdbc.changes.ChangeLines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Changes of keys. Grants are sent a little later, because a release may follow soon. */
public enum LeaseChanges implements ChangeKind<LeaseChange> {
  KIND;

  @Override
  public Set<String> words() {
    return Arrays.stream(LeaseChange.Kind.values()).map(Enum::name).collect(Collectors.toSet());
  }

  @Override
  public String line(LeaseChange change) {
    return change.kind().name() + " " + change.token().value() + " " + change.key().text();
  }

  @Override
  public LeaseChange read(String line) {
    String[] words = ChangeLines.words(line, 3);
    return new LeaseChange(
        LeaseChange.Kind.valueOf(words[0]),
        new LeaseKey(words[2]),
        new Token(Long.parseLong(words[1])));
  }

  @Override
  public boolean concerns(LeaseChange change, String prefix) {
    return change.isUnder(prefix);
  }

  /** A key that is given back soon, or passed on repeatedly, is reported only once. */
  @Override
  public boolean isUrgent(LeaseChange change) {
    return switch (change.kind()) {
      case RELEASED, EXPIRED, REVOKED -> true;
      case GRANTED, SUPERSEDED -> false;
    };
  }

  /**
   * Once a process hears that a key is held, it need not hear of the earlier changes, except that a
   * grant was followed by another: its own instance may be the heir, which asks only then.
   */
  @Override
  public List<LeaseChange> news(List<LeaseChange> changes) {
    Map<LeaseKey, Token> granted = new HashMap<>();
    List<LeaseChange> news = new ArrayList<>();
    for (LeaseChange change : changes.reversed()) {
      Token later = granted.get(change.key());
      boolean isPast = later != null && later.isAbove(change.token());
      if (!isPast || change.kind() == LeaseChange.Kind.SUPERSEDED) {
        news.add(change);
      }
      if (change.kind() == LeaseChange.Kind.GRANTED) {
        granted.putIfAbsent(change.key(), change.token());
      }
    }
    return news.reversed();
  }
}
