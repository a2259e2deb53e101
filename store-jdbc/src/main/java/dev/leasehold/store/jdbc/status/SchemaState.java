package dev.leasehold.store.jdbc.status;

/** The version of a store's schema, compared with this release. */
public sealed interface SchemaState {
  /** The database has no schema. */
  record Missing() implements SchemaState {}

  /** The schema is older than this release needs. */
  record Behind(int version) implements SchemaState {}

  /** The schema is the one that this release needs, or a compatible newer one. */
  record Current() implements SchemaState {}

  /** The schema is of a newer release that this one does not support: upgrade this process. */
  record TooNew(int minor) implements SchemaState {}
}
