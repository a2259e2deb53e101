package dev.leasehold.blocks.objects;

/** A hint that an object was written or deleted. */
public record ObjectChange(Kind kind, ObjectName name, Version version) {
  /** What happened. */
  public enum Kind {
    WRITTEN,
    DELETED
  }
}
