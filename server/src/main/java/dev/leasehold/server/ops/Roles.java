package dev.leasehold.server.ops;

import dev.leasehold.blocks.leader.Election;
import dev.leasehold.fence.Token;
import java.util.List;

/**
 * The roles that this replica holds, for {@code /readyz}. The application that embeds the server
 * provides them.
 */
@FunctionalInterface
public interface Roles {
  /** The roles held now. The method must not block. */
  List<Role> held();

  /** The role of an election: held while this process leads and may trust its term. */
  static Roles of(Election election) {
    return () ->
        election.status().term().stream()
            .map(term -> new Role(term.key().text(), term.token()))
            .toList();
  }

  /**
   * A role and the term it is held for.
   *
   * @param name the name shown to operators
   * @param term the token of the grant that the role rests on
   */
  record Role(String name, Token term) {}
}
