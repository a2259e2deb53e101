@NullMarked
package dev.leasehold.cli.object;

import org.jspecify.annotations.NullMarked;
