package dev.leasehold.remote.wire;

import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;

/** A grant with all details on record. */
final class Grants {
  private Grants() {}

  static void write(JsonOut out, Grant grant) {
    HolderInfo info = grant.terms().info();
    out.number("token", grant.token().value());
    out.text("instanceId", grant.instanceId().text());
    out.text("requestId", grant.requestId().text());
    out.text("holder", info.holder());
    out.textIfAny("purpose", info.purpose()).textIfAny("region", info.region());
    out.texts("attributes", info.attributes());
    out.number("ttlMs", grant.terms().ttlMillis());
    out.number("stallMs", grant.terms().stallLimit().millis());
    out.number("grantedAtMs", grant.grantedAtMillis());
    out.number("renewedAtMs", grant.renewedAtMillis());
    out.number("expiresAtMs", grant.expiresAtMillis());
    out.number("progress", grant.progress().mark());
    out.number("movedAtMs", grant.progress().movedAtMillis());
    switch (grant.standing()) {
      case Standing.Open open -> out.text("standing", "OPEN");
      case Standing.Lapsed lapsed -> out.text("standing", "LAPSED");
      case Standing.Ended ended -> {
        out.text("standing", "ENDED").number("endedAtMs", ended.atMillis());
        LossReasons.write(out, ended.reason());
      }
    }
  }

  static Grant read(Members members) {
    HolderInfo info = Commands.holderInfo(members);
    return new Grant(
        Commands.token(members),
        members.parsed("instanceId", InstanceId::new),
        members.parsed("requestId", RequestId::new),
        new Terms(info, members.number("ttlMs"), members.counted("stallMs", StallLimit::new)),
        members.number("grantedAtMs"),
        members.number("renewedAtMs"),
        members.number("expiresAtMs"),
        new Progress(members.number("progress"), members.number("movedAtMs")),
        standing(members));
  }

  private static Standing standing(Members members) {
    return switch (members.text("standing")) {
      case "OPEN" -> Standing.OPEN;
      case "LAPSED" -> Standing.LAPSED;
      case "ENDED" -> new Standing.Ended(LossReasons.read(members), members.number("endedAtMs"));
      default -> throw members.refusal("standing", "no such standing is known");
    };
  }
}
