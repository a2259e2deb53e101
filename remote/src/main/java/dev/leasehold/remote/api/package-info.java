/**
 * The HTTP API as tables: one class a block, one constant an operation.
 *
 * <p>An {@link dev.leasehold.remote.api.Operation} defines its method and path, the access that it
 * requires, which {@link dev.leasehold.remote.api.Parameter parameters} and body it takes, and its
 * answers. Bodies and answers are {@link dev.leasehold.remote.api.Shape shapes}: named lists of
 * {@link dev.leasehold.remote.api.Member members}. The server makes its routes, the limits of
 * bodies and the OpenAPI document from these tables; the client takes its paths from them; tests
 * compare the readers and writers of {@link dev.leasehold.remote.wire} with them.
 *
 * <p>To add a block: write its table here, its readers and writers in {@code remote.wire}, and in
 * the server one handler for each operation.
 */
@NullMarked
package dev.leasehold.remote.api;

import org.jspecify.annotations.NullMarked;
