package dev.leasehold.blocks.objects;

/** A hint that an object was written or deleted. */
public record ObjectChange(Kind kind, ObjectName name, Version version) {
  /** What happened. */
  public enum Kind {
    WRITTEN,
    DELETED
  }

  /** Whether its object has the type: what a watch of objects is told of. */
  public boolean isOf(String type) {
    return name.type().equals(type);
  }
}
