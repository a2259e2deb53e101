package dev.leasehold.store.jdbc;

/**
 * Which store this is, for people.
 *
 * @param storeId random, made with the schema
 * @param incarnation stands in front of every token that is issued now
 * @param holdOffMillis how long nothing is granted yet, after an advance
 * @param systemId PostgreSQL's, of when the store was made or last advanced; empty elsewhere
 */
public record StoreIdentity(String storeId, int incarnation, long holdOffMillis, String systemId) {}
