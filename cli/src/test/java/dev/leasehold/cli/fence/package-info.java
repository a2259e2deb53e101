@NullMarked
package dev.leasehold.cli.fence;

import org.jspecify.annotations.NullMarked;
