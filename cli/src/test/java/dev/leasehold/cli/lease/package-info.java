@NullMarked
package dev.leasehold.cli.lease;

import org.jspecify.annotations.NullMarked;
