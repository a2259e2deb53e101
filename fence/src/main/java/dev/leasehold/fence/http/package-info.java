/**
 * Tokens on HTTP requests, for the JDK's own client and server.
 *
 * <p>{@link dev.leasehold.fence.http.FencedHttp} sends a request with the key and the token that it
 * acts under; {@link dev.leasehold.fence.http.FenceFilter} reads them before a handler runs and
 * answers 409 with {@code application/problem+json} where the token is refused; {@link
 * dev.leasehold.fence.http.SealHandler} lets a successor seal the service before it reads.
 *
 * <p>A filter that asks a fence and then lets the request in is only advice: the old holder's
 * request may be paused between the two. A filter has one of three forms, and its {@link
 * dev.leasehold.fence.Guarantee} says which. The first two are fences:
 *
 * <ul>
 *   <li>the handler makes its change through the fence, in one transaction with the mark;
 *   <li>the whole handling runs inside a fence in memory, so that a seal waits for lower requests
 *       in progress. This suits state that lives as long as the process;
 *   <li>otherwise it is advice, and the audit lists it as a hole.
 * </ul>
 */
@NullMarked
package dev.leasehold.fence.http;

import org.jspecify.annotations.NullMarked;
