package dev.leasehold.remote.wire;

import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Anchor;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.model.StallLimit;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Charters of kinds of leases as JSON. */
public final class Charters {
  private Charters() {}

  public static void write(JsonOut out, LeaseCharter charter) {
    out.text("kind", charter.kind()).text("payload", charter.payload().name());
    out.text("covers", charter.covers()).text("anchor", charter.anchor().name());
    out.number("ttlMs", charter.ttl().toMillis());
    charter.grace().ifPresent(grace -> out.number("graceMs", grace.toMillis()));
    out.number("stallMs", charter.stallLimit().millis());
    out.text("handoff", charter.handoff().name());
    out.list("targets", charter.targets(), Charters::writeTarget);
  }

  static void writeTarget(JsonOut out, Target target) {
    out.text("name", target.name()).text("check", target.check().name());
    out.text("whenUnsealed", target.whenUnsealed().name());
  }

  public static LeaseCharter read(Members members) {
    Optional<Duration> grace = members.countedIfAny("graceMs", Duration::ofMillis);
    List<Target> targets = members.list("targets", LeaseCharter.MAX_TARGETS, Charters::target);
    return members.together(
        () ->
            new LeaseCharter(
                members.text("kind"),
                word(members, "payload", Payload.values()),
                members.text("covers"),
                word(members, "anchor", Anchor.values()),
                Duration.ofMillis(members.number("ttlMs")),
                grace,
                members.counted("stallMs", StallLimit::new),
                word(members, "handoff", Handoff.values()),
                targets));
  }

  private static Target target(Members members) {
    return members.together(
        () ->
            new Target(
                members.text("name"),
                word(members, "check", Check.values()),
                word(members, "whenUnsealed", Unsealed.values())));
  }

  private static <E extends Enum<E>> E word(Members members, String name, E[] known) {
    String word = members.text(name);
    return Arrays.stream(known)
        .filter(one -> one.name().equals(word))
        .findFirst()
        .orElseThrow(() -> members.refusal(name, "must be one of " + Arrays.toString(known)));
  }
}
