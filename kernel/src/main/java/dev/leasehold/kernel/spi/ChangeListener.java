package dev.leasehold.kernel.spi;

/**
 * Receives changes, on any thread, and must not block. A change is a hint: it may come twice, late,
 * out of order or never. So a listener reads the store before it acts on a change, and reads it
 * from time to time without one.
 *
 * @param <C> a block's change, such as {@link LeaseChange}
 */
public interface ChangeListener<C> {
  void changed(C change);

  /** Changes may have been missed: read again what matters. */
  void reset();
}
