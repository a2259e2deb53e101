package dev.leasehold.store.jdbc.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import org.junit.jupiter.api.Test;

class CharterTextTest {
  private static final LeaseCharter CHARTER =
      LeaseCharter.of("lock", Payload.EXCLUSION, "target NONE  of all")
          .target(new Target("a b  c ", Check.GENERATION, Unsealed.BLOCKS));

  @Test
  void itIsReadAsItWasWritten() {
    assertThat(CharterText.read("lock", CharterText.of(CHARTER))).isEqualTo(CHARTER);
  }

  @Test
  void whatANewerReleaseAddsIsPassedOver() {
    String newer = CharterText.of(CHARTER) + "\nquorum of-three 2";
    assertThat(CharterText.read("lock", newer)).isEqualTo(CHARTER);
  }

  @Test
  void whatCannotBeUnderstoodIsSaidWithWhatToDo() {
    String unknown = CharterText.of(CHARTER).replace("GENERATION", "LASER");
    assertThatThrownBy(() -> CharterText.read("lock", unknown))
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContainingAll("'lock'", "upgrade this program", "LASER");
    assertThatThrownBy(() -> CharterText.read("lock", "payload"))
        .isInstanceOf(StoreUnusableException.class);
    assertThatThrownBy(() -> CharterText.read("lock", ""))
        .isInstanceOf(StoreUnusableException.class);
  }
}
