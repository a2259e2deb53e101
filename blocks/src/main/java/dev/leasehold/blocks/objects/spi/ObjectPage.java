package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.VersionedObject;
import java.util.List;
import java.util.Optional;

/**
 * Objects of a type, in the order of their ids.
 *
 * @param next where the next page begins: after this id. Empty on the last one
 */
public record ObjectPage(List<VersionedObject> items, Optional<String> next) {}
