@NullMarked
package dev.leasehold.cli.command;

import org.jspecify.annotations.NullMarked;
