@NullMarked
package dev.leasehold.cli.place;

import org.jspecify.annotations.NullMarked;
