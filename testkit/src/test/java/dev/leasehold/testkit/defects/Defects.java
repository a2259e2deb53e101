package dev.leasehold.testkit.defects;

import dev.leasehold.testkit.model.Rules;
import java.util.stream.Stream;

/** Everything that is planted, and the sound store that must pass where these do not. */
final class Defects {
  static final Defect NONE = Defect.inRules("none", Rules.sound());

  private Defects() {}

  /** What looks like a defect and is none: a store may remember more, and end a stall later. */
  static Stream<Defect> allowed() {
    return Stream.of(StoreDefects.remembersMore(), HoldersDefects.endsStallsLater());
  }

  static Stream<Defect> all() {
    return Stream.of(
            AcquirersDefects.all(),
            HoldersDefects.all(),
            OperatorsDefects.all(),
            StoreDefects.all())
        .flatMap(defects -> defects);
  }
}
