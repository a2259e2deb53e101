package dev.leasehold.fence;

/** A change to a target that gives a result. */
@FunctionalInterface
public interface Change<T, X extends Exception> {
  T make() throws X;
}
