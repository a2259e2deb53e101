package dev.leasehold.fence;

/** A change to a target that returns a value. */
@FunctionalInterface
public interface Change<T, X extends Exception> {
  T make() throws X;
}
