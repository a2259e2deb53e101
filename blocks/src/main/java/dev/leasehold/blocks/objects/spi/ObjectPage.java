package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.model.VersionedObject;
import java.util.List;
import java.util.Optional;

/**
 * Objects of a type, in the order of their ids.
 *
 * @param next the id after which the next page begins; empty on the last page
 */
public record ObjectPage(List<VersionedObject> items, Optional<String> next) {}
