/**
 * Accounts behind every kind of fence, for the story of the paused holder. {@link
 * dev.leasehold.verification.accounts.AccountKind} lists them; {@link
 * dev.leasehold.verification.accounts.AccountProgram} is what holders run that know them all.
 */
@NullMarked
package dev.leasehold.verification.accounts;

import org.jspecify.annotations.NullMarked;
