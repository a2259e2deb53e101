package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.SessionGrant;
import java.util.OptionalLong;

/**
 * What a store keeps of an anchor.
 *
 * @param session the one that its rows stand under now
 * @param isServed whether its rows are those of workers behind a server, which outlive the server
 * @param unheardSinceMillis store time of its first adoption, after which its workers must be heard
 */
public record AnchorRecord(
    Anchor anchor, SessionGrant session, boolean isServed, OptionalLong unheardSinceMillis) {

  /** An adopted anchor only empties: nothing is taken or moved into it. */
  public boolean isAdopted() {
    return unheardSinceMillis.isPresent();
  }

  AnchorRecord under(SessionGrant next, long nowMillis) {
    return new AnchorRecord(
        anchor, next, isServed, isAdopted() ? unheardSinceMillis : OptionalLong.of(nowMillis));
  }
}
