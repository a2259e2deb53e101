package dev.leasehold.store.jdbc.status;

/** Where the schema of a store stands. */
public sealed interface SchemaState {
  /** There is none. */
  record Missing() implements SchemaState {}

  /** Older than this release needs. */
  record Behind(int version) implements SchemaState {}

  /** As this release needs it, or newer by what this release can live with. */
  record Current() implements SchemaState {}

  /** Of a release that this one does not know: this process is to be upgraded. */
  record TooNew(int minor) implements SchemaState {}
}
