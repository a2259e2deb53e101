package dev.leasehold.store.jdbc.rows;

import java.util.List;
import java.util.Optional;

/**
 * What the rules have decided about one command.
 *
 * @param row the row as the command leaves it; empty if the command changes nothing
 */
public record Ruled<O, H, R>(O outcome, Optional<R> row, List<H> changes) {
  public static <O, H, R> Ruled<O, H, R> unchanged(O outcome) {
    return new Ruled<>(outcome, Optional.empty(), List.of());
  }

  public static <O, H, R> Ruled<O, H, R> changed(O outcome, R row, H change) {
    return new Ruled<>(outcome, Optional.of(row), List.of(change));
  }
}
