/** Where tests keep their files. */
@NullMarked
package dev.leasehold.testkit.files;

import org.jspecify.annotations.NullMarked;
