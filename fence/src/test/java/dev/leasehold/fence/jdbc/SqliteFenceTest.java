package dev.leasehold.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.FenceUnavailableException;
import java.nio.file.Path;

class SqliteFenceTest extends JdbcFenceContract {
  @Override
  TargetDatabase open(Path folder) throws Exception {
    return new SqliteDatabase(folder);
  }

  @Override
  void sealWithSixDoesNotGetThrough() {
    JdbcFence successor = JdbcFence.before("orders", ((SqliteDatabase) database()).waiting(1));
    assertThatThrownBy(() -> successor.seal(claim(6)))
        .isInstanceOf(FenceUnavailableException.class)
        .hasMessageContaining("BUSY");
  }

  @Override
  boolean abortsTransactions() {
    return false;
  }
}
