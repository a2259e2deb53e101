/** The programs in the documents are compiled and run, and links and names in them exist. */
@NullMarked
package dev.leasehold.verification.docs;

import org.jspecify.annotations.NullMarked;
