package dev.leasehold.remote.wire;

import dev.leasehold.blocks.sessions.SessionInfo;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeasePage;

/** Sessions as JSON. */
public final class Sessions {
  private Sessions() {}

  public static void write(JsonOut out, SessionInfo session) {
    out.text("key", session.grant().key().text());
    out.number("token", session.grant().token().value());
    out.text("holder", session.holder()).text("instanceId", session.instanceId().text());
    out.words("roles", session.roles());
    out.text("address", session.address()).text("version", session.version());
    out.number("ttlMs", session.ttlMillis()).number("remainingMs", session.remainingMillis());
  }

  /** The sessions among these records. A page can be empty although another one follows. */
  public static void writePage(JsonOut out, LeasePage page) {
    out.list(
        "items",
        page.items().stream().flatMap(found -> SessionInfo.of(found).stream()).toList(),
        Sessions::write);
    out.text("next", page.next().map(LeaseKey::text));
  }
}
