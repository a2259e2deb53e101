package dev.leasehold.blocks.objects;

/**
 * Is told of changes, on any thread: it must not block. They are hints: one may come twice, late,
 * out of order or never, so whoever acts on one reads first, and also looks now and then.
 */
public interface ObjectListener {
  void changed(ObjectChange change);

  /** Changes may have been missed: list again what matters. */
  void reset();
}
