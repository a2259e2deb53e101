package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A connection that breaks between a commit and the answer to it. */
class LostCommitReplyTest {
  private static final ObjectName NAME = ObjectName.of("sandbox", "a");

  private final AtomicBoolean breaksAtCommit = new AtomicBoolean();

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            LostCommitReplyTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Connection breaking(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          Object result = call(connection, method, arguments);
          if (method.getName().equals("commit") && breaksAtCommit.compareAndSet(true, false)) {
            connection.close();
            throw new SQLException("the answer was lost", "08006");
          }
          return result;
        });
  }

  private DataSource source(String url) {
    PGSimpleDataSource real = new PGSimpleDataSource();
    real.setURL(url);
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object result = call(real, method, arguments);
          return result instanceof Connection connection ? breaking(connection) : result;
        });
  }

  /**
   * The first copy finds nothing to delete, and then makes the object. The second one, under the
   * same request ids, must not delete what has been made since.
   */
  @Test
  void a_write_that_is_sent_again_does_not_take_effect_after_the_later_ones_on_its_object() {
    try (Schema schema = new Schema();
        JdbcStore store =
            JdbcStore.on(source(schema.url(""))).migrate().leaveHousekeepingToOthers().open()) {
      ObjectCommand delete =
          new ObjectCommand.Delete(
              NAME, Expectation.ANYTHING, Optional.empty(), RequestId.random());
      ObjectCommand put =
          new ObjectCommand.Put(
              NAME,
              Payload.ofText("x"),
              Expectation.ANYTHING,
              Optional.empty(),
              RequestId.random());
      breaksAtCommit.set(true);
      List<ObjectOutcome> outcomes = TestCommands.get(store.objects().apply(List.of(delete, put)));
      assertThat(breaksAtCommit).isFalse();
      assertThat(outcomes.get(0))
          .isInstanceOfSatisfying(
              ObjectOutcome.Failed.class,
              failed -> assertThat(failed.certainty()).isEqualTo(Certainty.UNKNOWN));
      assertThat(outcomes.get(1)).isInstanceOf(ObjectOutcome.Created.class);
      assertThat(TestCommands.get(store.objects().read(List.of(NAME))).getFirst()).isPresent();
    }
  }
}
