package dev.leasehold.server.security;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Where API keys are kept. Every stage may fail when the store cannot be reached. */
public interface ApiKeys {
  /** Empty when there is none of this id, or it was revoked. */
  CompletionStage<Optional<ApiKey>> find(String id);

  CompletionStage<Void> add(ApiKey key);

  /** In the order of their names. */
  CompletionStage<List<ApiKey>> list();

  /** Whether there was one. Servers take it until they ask again: {@link Gatekeeper#TRUSTED}. */
  CompletionStage<Boolean> revoke(String id);
}
