package dev.leasehold.store.jdbc.connections;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Items as the values of a server's statement: an array for each of their columns, in order. */
public final class Columns<I> {
  private final Connection jdbc;
  private final List<I> items;
  private final List<@Nullable Object> values = new ArrayList<>();

  Columns(Connection jdbc, List<I> items) {
    this.jdbc = jdbc;
    this.items = items;
  }

  public Columns<I> texts(Function<? super I, ? extends @Nullable String> text)
      throws SQLException {
    return of("text", text);
  }

  /** Numbers of 32 bits, such as buckets. */
  public Columns<I> integers(Function<? super I, Integer> number) throws SQLException {
    return of("int4", number);
  }

  /** Numbers of 64 bits. */
  public Columns<I> numbers(Function<? super I, ? extends @Nullable Long> number)
      throws SQLException {
    return of("int8", number);
  }

  public Columns<I> flags(Function<? super I, Boolean> flag) throws SQLException {
    return of("bool", flag);
  }

  /** The type is the database's name of it. */
  public Columns<I> of(String type, Function<? super I, ? extends @Nullable Object> value)
      throws SQLException {
    @Nullable Object[] column = new Object[items.size()];
    Arrays.setAll(column, i -> value.apply(items.get(i)));
    values.add(jdbc.createArrayOf(type, column));
    return this;
  }

  /** Payloads, for which the driver needs its own type. */
  public Columns<I> payloads(Function<? super I, byte[]> payload) throws SQLException {
    values.add(jdbc.createArrayOf("bytea", items.stream().map(payload).toArray(byte[][]::new)));
    return this;
  }

  /** The columns, and after them these values. */
  public @Nullable Object[] values(@Nullable Object... then) {
    List<@Nullable Object> all = new ArrayList<>(values);
    all.addAll(Arrays.asList(then));
    return all.toArray();
  }
}
