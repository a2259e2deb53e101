/** What users and authors of stores test with. */
@NullMarked
package dev.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
