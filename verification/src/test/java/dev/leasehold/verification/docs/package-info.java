/** What the documents show is compiled and run, and they point to nothing that is not there. */
@NullMarked
package dev.leasehold.verification.docs;

import org.jspecify.annotations.NullMarked;
