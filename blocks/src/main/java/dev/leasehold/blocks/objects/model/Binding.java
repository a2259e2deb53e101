package dev.leasehold.blocks.objects.model;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Operator;

/**
 * Requires writes of these objects to bring a key's current token.
 *
 * @param by the operator, for people
 * @param atMillis when, by the store's clock
 */
public record Binding(ObjectScope scope, LeaseKey key, Operator by, long atMillis) {}
