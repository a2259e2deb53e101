/**
 * Authentication and authorization: API keys with permissions and prefixes, TLS from PEM files, and
 * the host names that a request may use.
 */
@NullMarked
package dev.leasehold.server.security;

import org.jspecify.annotations.NullMarked;
