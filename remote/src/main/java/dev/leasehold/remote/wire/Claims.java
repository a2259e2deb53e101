package dev.leasehold.remote.wire;

import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.model.InstanceId;
import java.util.Optional;

/** The lease that a command is made under: key, token, and who brings it. */
public final class Claims {
  private Claims() {}

  static void write(JsonOut out, Claim claim) {
    out.text("key", claim.key().text()).number("token", claim.token().value());
    out.text("holder", claim.who());
    claim.instanceId().ifPresent(id -> out.text("instanceId", id));
  }

  /** {@code who} brings it, if the members do not say. */
  public static Claim read(Members members, String who) {
    return new Claim(
        Commands.key(members), Commands.token(members), members.textIfAny("holder").orElse(who));
  }

  /** Of a command that need not be made under a lease; the claim may name its instance. */
  static Optional<Claim> readIfAny(Members members, String who) {
    String holder = members.textIfAny("holder").orElse(who);
    return members.has("key") || members.has("token")
        ? Optional.of(
            new Claim(
                Commands.key(members),
                Commands.token(members),
                holder,
                members.parsedIfAny("instanceId", InstanceId::new).map(InstanceId::text)))
        : Optional.empty();
  }
}
