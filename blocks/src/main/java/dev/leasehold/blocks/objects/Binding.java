package dev.leasehold.blocks.objects;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Operator;

/**
 * That writes of these objects must bring a key's current token.
 *
 * @param by who has bound them, for people
 * @param atMillis when, by the store's clock
 */
public record Binding(ObjectScope scope, LeaseKey key, Operator by, long atMillis) {}
