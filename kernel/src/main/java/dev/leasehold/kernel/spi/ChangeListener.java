package dev.leasehold.kernel.spi;

/**
 * Is told of changes, on any thread: it must not block. Changes are hints: one may come twice,
 * late, out of order or never, so a listener that acts on one reads first, and reads now and then
 * without any.
 *
 * @param <C> a block's change, such as {@link LeaseChange}
 */
public interface ChangeListener<C> {
  void changed(C change);

  /** Changes may have been missed: read again what matters. */
  void reset();
}
