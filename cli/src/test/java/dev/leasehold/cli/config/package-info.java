/** Settings: their sources, which source wins, and the messages about faulty ones. */
@NullMarked
package dev.leasehold.cli.config;

import org.jspecify.annotations.NullMarked;
