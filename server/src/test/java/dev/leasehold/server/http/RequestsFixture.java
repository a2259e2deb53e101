package dev.leasehold.server.http;

import dev.leasehold.kernel.ObserverDispatch;
import dev.leasehold.kernel.model.LeaseObserver;

/** What a dispatcher needs beside its routes. */
final class RequestsFixture {
  /** Reports that nothing receives. */
  static final RequestDispatcher.Reports REPORTS =
      new RequestDispatcher.Reports(
          status -> {}, ObserverDispatch.to(LeaseObserver.NONE, Runnable::run));

  private RequestsFixture() {}
}
