package dev.leasehold.server;

import dev.leasehold.remote.api.FenceApi;
import dev.leasehold.remote.api.LeaseApi;
import dev.leasehold.remote.api.ObjectApi;
import dev.leasehold.remote.api.Operation;
import dev.leasehold.remote.api.ServerApi;
import dev.leasehold.remote.api.SessionApi;
import dev.leasehold.remote.api.StoreApi;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Every operation of every table. */
final class ApiTables {
  private static final List<Class<?>> TABLES =
      List.of(
          LeaseApi.class,
          SessionApi.class,
          FenceApi.class,
          ObjectApi.class,
          StoreApi.class,
          ServerApi.class);

  private ApiTables() {}

  /**
   * First the operations that need what the first one has granted; last the one that ends all
   * grants.
   */
  static List<Operation> inOrderOfReplay() {
    Set<Operation> order =
        new LinkedHashSet<>(
            List.of(
                LeaseApi.ACQUIRE,
                LeaseApi.RENEW,
                LeaseApi.LIST,
                LeaseApi.ONE,
                FenceApi.ADMIT,
                FenceApi.SEAL,
                LeaseApi.RELEASE,
                ObjectApi.PUT,
                ObjectApi.GET,
                ObjectApi.DELETE,
                ObjectApi.LIST,
                ObjectApi.BATCH,
                ObjectApi.READ,
                ObjectApi.BIND,
                ObjectApi.BINDINGS));
    List<Operation> others = new ArrayList<>(all());
    others.remove(StoreApi.ADVANCE);
    order.addAll(others);
    order.add(StoreApi.ADVANCE);
    return List.copyOf(order);
  }

  static List<Operation> all() {
    List<Operation> all = new ArrayList<>();
    for (Class<?> table : TABLES) {
      for (Field field : table.getDeclaredFields()) {
        if (field.getType() == Operation.class && Modifier.isPublic(field.getModifiers())) {
          all.add(value(field));
        }
      }
    }
    return all;
  }

  private static Operation value(Field field) {
    try {
      return (Operation) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
