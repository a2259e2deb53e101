package dev.leasehold.remote;

import dev.leasehold.remote.api.StoreApi;
import dev.leasehold.remote.wire.Diagnosis;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The findings of a server that examines itself and its store. */
public final class RemoteDoctor {
  private final Calls calls;

  RemoteDoctor(Calls calls) {
    this.calls = calls;
  }

  public CompletionStage<List<Diagnosis>> examine() {
    return calls.get(StoreApi.DOCTOR.path(), Diagnosis::readAll);
  }
}
