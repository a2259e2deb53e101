package dev.leasehold.blocks.objects.model;

import dev.leasehold.kernel.model.Version;

/** A hint that an object was written or deleted. */
public record ObjectChange(Kind kind, ObjectName name, Version version) {
  /** What happened. */
  public enum Kind {
    WRITTEN,
    DELETED
  }

  /** Whether its object has the type. A watch of objects receives such changes. */
  public boolean isOf(String type) {
    return name.type().equals(type);
  }
}
