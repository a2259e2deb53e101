/**
 * The values of versioned objects: names, versions, payloads, what a write expects and what became
 * of it. The port in {@link dev.leasehold.blocks.objects.spi} and the users' API share them.
 */
@NullMarked
package dev.leasehold.blocks.objects.model;

import org.jspecify.annotations.NullMarked;
