package dev.leasehold.blocks.leader;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.MessageFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What an operator reads in the log: which replica leads or no longer leads, and nothing if there
 * is only one replica.
 */
class ElectionLogTest {
  private static final Logger LOGGER = Logger.getLogger(Election.class.getName());

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final ElectionFixture fixture = new ElectionFixture();
  private final ElectionFixture.House anna = fixture.house("anna");

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getLevel().intValue() >= Level.INFO.intValue()) {
            lines.add(MessageFormat.format(line.getMessage(), line.getParameters()));
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeHandler(handler);
  }

  @Test
  void electionLossAndReleaseAreLoggedWithTheReplica() {
    Election election = anna.election().start();
    fixture.house("ben").election().start();
    fixture.advance(Duration.ofMinutes(5));
    assertThat(lines).hasSize(1).allMatch(line -> line.startsWith("billing: anna is elected"));
    election.close();
    assertThat(lines)
        .anyMatch(line -> line.startsWith("billing: anna leads no longer"))
        .anyMatch(line -> line.startsWith("billing: anna has given token"))
        .anyMatch(line -> line.startsWith("billing: ben is elected"));
  }

  @Test
  void aLossSaysWhy() {
    anna.election().start();
    fixture.revoke();
    fixture.advance(Duration.ofSeconds(15));
    assertThat(lines).anyMatch(line -> line.contains("leads no longer") && line.contains("stuck"));
  }

  @Test
  void aSingleReplicaMakesNoNoise() {
    Election election = anna.election().singleReplica().start();
    fixture.advance(Duration.ofMinutes(5));
    election.close();
    assertThat(lines).isEmpty();
  }
}
