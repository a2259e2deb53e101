package dev.leasehold.testkit.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.spi.AnchorRecord;
import dev.leasehold.blocks.rows.spi.AnchorStore;
import dev.leasehold.blocks.rows.spi.OpenResult;
import dev.leasehold.blocks.rows.spi.Orphan;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.suite.FencedGroup;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One part of the contract, with words for what its tests do. */
abstract class AnchorsGroup extends FencedGroup<AnchorsUnderTest> {
  private int sessions;

  AnchorStore anchors() {
    return under.anchors();
  }

  /** A session of a process of its own. */
  SessionGrant session(Instance process) {
    sessions++;
    return granted(new LeaseKey("session/" + sessions), process);
  }

  SessionGrant granted(LeaseKey key, Instance process) {
    Claim claim = acquired(key, process);
    return new SessionGrant(key, claim.token());
  }

  OpenResult.Opened opened(SessionGrant session) {
    OpenResult result = answer(anchors().open(session));
    assertThat(result).isInstanceOf(OpenResult.Opened.class);
    return (OpenResult.Opened) result;
  }

  void close(SessionGrant session, Instance process) {
    release(Claim.of(session.key(), session.token()), process);
  }

  /** Lets the session's time run out, and ends it as a store does. */
  void die(SessionGrant session) {
    pass(TTL);
    end(session);
  }

  void end(SessionGrant session) {
    assertThat(lease(new Command.EndExpired(session.key(), session.token())))
        .isInstanceOf(Outcome.Lost.class);
  }

  void revoke(SessionGrant session, Command.Reopening reopening) {
    assertThat(
            lease(
                new Command.Revoke(
                    session.key(), OLGA, new Explanation("wrong build"), reopening, request())))
        .isInstanceOf(Outcome.Revoked.class);
  }

  List<Orphan> orphans() {
    return answer(anchors().orphans(Optional.empty(), 1_000));
  }

  boolean adopted(Anchor anchor, SessionGrant ended, SessionGrant adopter) {
    return answer(anchors().adopt(anchor, ended, adopter));
  }

  static AnchorRecord own(Anchor anchor, SessionGrant session) {
    return new AnchorRecord(anchor, session, false, OptionalLong.empty());
  }

  static AnchorRecord served(Anchor anchor, SessionGrant session) {
    return new AnchorRecord(anchor, session, true, OptionalLong.empty());
  }
}
