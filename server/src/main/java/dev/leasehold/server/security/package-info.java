/**
 * Who may ask for what: API keys with verbs and prefixes, TLS from PEM files, and the names that a
 * request may call the server by.
 */
@NullMarked
package dev.leasehold.server.security;

import org.jspecify.annotations.NullMarked;
