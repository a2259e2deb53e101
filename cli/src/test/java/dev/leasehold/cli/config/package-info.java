/** Settings: where each comes from, which one wins, and how a wrong one is answered. */
@NullMarked
package dev.leasehold.cli.config;

import org.jspecify.annotations.NullMarked;
