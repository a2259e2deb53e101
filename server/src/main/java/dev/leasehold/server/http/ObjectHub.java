package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.kernel.spi.ChangeListener;
import java.util.Optional;

/** The last changes of the objects of one type. */
final class ObjectHub extends EventHub<ObjectChange> implements ChangeListener<ObjectChange> {
  /** There is one for each type that is watched, and whoever has missed more lists anew. */
  private static final int KEPT = 1_024;

  ObjectHub() {
    super(KEPT);
  }

  @Override
  public void changed(ObjectChange change) {
    add(Optional.of(change));
  }

  @Override
  public void reset() {
    add(Optional.empty());
  }
}
