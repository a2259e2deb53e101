package dev.leasehold.store.jdbc;

/**
 * Identifies a store, for people.
 *
 * @param storeId random, made with the schema
 * @param incarnation the first part of every token that is issued now
 * @param holdOffMillis how much longer nothing is granted after an advance
 * @param systemId PostgreSQL's system identifier when the store was created or last advanced; empty
 *     elsewhere
 */
public record StoreIdentity(String storeId, int incarnation, long holdOffMillis, String systemId) {}
