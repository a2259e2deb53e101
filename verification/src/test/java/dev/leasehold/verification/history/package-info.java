/**
 * Histories that outlive the process that wrote them: worker processes which a test kills each
 * append to a {@link dev.leasehold.verification.history.HistoryFile}, and the test reads all files
 * into one {@link dev.leasehold.testkit.history.History} and judges it.
 */
@NullMarked
package dev.leasehold.verification.history;

import org.jspecify.annotations.NullMarked;
