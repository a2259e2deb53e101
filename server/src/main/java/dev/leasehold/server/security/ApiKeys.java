package dev.leasehold.server.security;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Stores API keys. Every stage may fail when the store cannot be reached. */
public interface ApiKeys {
  /** Empty if no key has this id, or if it was revoked. */
  CompletionStage<Optional<ApiKey>> find(String id);

  CompletionStage<Void> add(ApiKey key);

  /** All keys, ordered by name. */
  CompletionStage<List<ApiKey>> list();

  /**
   * Completes with whether such a key existed. Servers accept it until they ask again, see {@link
   * Gatekeeper#TRUSTED}.
   */
  CompletionStage<Boolean> revoke(String id);
}
