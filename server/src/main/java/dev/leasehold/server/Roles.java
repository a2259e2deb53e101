package dev.leasehold.server;

import dev.leasehold.blocks.leader.Election;
import dev.leasehold.fence.Token;
import java.util.List;

/** What this replica is in charge of, for {@code /readyz}: whoever embeds a server says so. */
@FunctionalInterface
public interface Roles {
  /** Now; it must not block. */
  List<Role> held();

  /** Of an election: the term, while this process leads and may trust it. */
  static Roles of(Election election) {
    return () ->
        election.status().term().stream()
            .map(term -> new Role(term.key().text(), term.token()))
            .toList();
  }

  /**
   * A role and the term it is held for.
   *
   * @param name as people know it
   * @param term the token of the grant that it rests on
   */
  record Role(String name, Token term) {}
}
