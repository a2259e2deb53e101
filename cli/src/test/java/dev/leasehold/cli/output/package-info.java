@NullMarked
package dev.leasehold.cli.output;

import org.jspecify.annotations.NullMarked;
