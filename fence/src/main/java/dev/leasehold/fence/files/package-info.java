/**
 * A fence for a file that is replaced as a whole. It uses no locks, because a stopped process must
 * never block its successor, and no process can tell a stopped one from a slow one.
 *
 * <p>So writers do not stop each other. Each token writes its own file, and readers take that of
 * the highest token. {@link dev.leasehold.fence.files.GenerationFile} keeps in one folder:
 *
 * <ul>
 *   <li>{@code name.<token>.sealed}: the marker: the holder of that token has begun; {@code .void}
 *       for a token without a holder. A lower token's writer that looks afterwards knows that it
 *       was replaced;
 *   <li>{@code name.<token>}: the last content that this token has written, and until then a link
 *       to the content that it found. A late write of a lower token replaces that token's own file,
 *       which no reader opens.
 * </ul>
 *
 * <p>Tokens have sixteen digits in names, so that names sort as tokens do.
 *
 * <p>The proof rests on the order of steps. A sealer first creates its marker and then links the
 * content of the highest lower token; a writer first puts its content in place and then looks for
 * higher markers. So if a writer finds no higher marker, its content was in place before the
 * marker, and the sealer has linked it. Each generation is looked up by the name of its marker,
 * never by listing: a listing may miss a file that is being replaced, but not one that is only
 * created.
 *
 * <p>It needs a file system with hard links, atomic renames, and folders in which all processes see
 * a change at once: local ones, but not NFS with cached lookups.
 */
@NullMarked
package dev.leasehold.fence.files;

import org.jspecify.annotations.NullMarked;
