@NullMarked
package dev.leasehold.cli.store;

import org.jspecify.annotations.NullMarked;
