/**
 * A fence before a file that is replaced as a whole, without locks: a process that was stopped must
 * never block its successor, and nobody can tell a stopped one from a slow one.
 *
 * <p>So nobody is stopped. Each token writes a file of its own, and readers look at the one of the
 * highest token. {@link dev.leasehold.fence.files.GenerationFile} keeps in one folder:
 *
 * <ul>
 *   <li>{@code name.<token>.sealed}: whoever holds that token has begun; {@code .void} instead for
 *       a token that belongs to nobody. Lower tokens that look from here on know that they were
 *       replaced;
 *   <li>{@code name.<token>}: what that token has written last, and before that a link to what it
 *       found. A late write of a lower token replaces the lower token's file, where nobody looks.
 * </ul>
 *
 * <p>Tokens are written with sixteen digits, so that names sort as tokens do.
 *
 * <p>The order of steps is the proof. A sealer first makes its marker and then links what the
 * highest lower token has written; a writer first puts its content in place and then looks for
 * higher markers. So a write that has found none was in place before the marker, and is in what the
 * sealer has linked. Each generation is looked up by the name of its marker, never by listing: a
 * listing may miss a file that is being replaced, but not one that is only made.
 *
 * <p>It needs a file system with hard links, atomic renames, and folders that all processes see
 * alike at once: local ones, and not NFS with cached lookups.
 */
@NullMarked
package dev.leasehold.fence.files;

import org.jspecify.annotations.NullMarked;
