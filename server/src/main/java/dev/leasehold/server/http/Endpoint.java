package dev.leasehold.server.http;

/** Answers one kind of request: parses it, calls the store and renders the outcome. */
@FunctionalInterface
public interface Endpoint {
  ApiResponse answer(Call call) throws Exception;
}
