package dev.leasehold.server.http;

/** Answers one kind of request: parses, calls and renders. */
@FunctionalInterface
public interface Endpoint {
  Answer answer(Call call) throws Exception;
}
