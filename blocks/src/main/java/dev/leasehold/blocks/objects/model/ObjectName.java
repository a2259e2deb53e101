package dev.leasehold.blocks.objects.model;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Texts;

/**
 * The name of an object: a type, and an id that is unique within the type. Both are visible ASCII
 * without spaces, as keys are; only the id may contain slashes.
 */
public record ObjectName(String type, String id) implements Comparable<ObjectName> {
  public static final int MAX_TYPE = 64;
  public static final int MAX_ID = 255;

  public ObjectName {
    requireType(type);
    Texts.requireVisibleAscii("id", id, MAX_ID);
  }

  public static ObjectName of(String type, String id) {
    return new ObjectName(type, id);
  }

  /** A type has the same form as the kind of a key. */
  public static void requireType(String type) {
    Texts.requireVisibleAscii("type", type, MAX_TYPE);
    if (type.indexOf('/') >= 0) {
      throw new IllFormedException("type '" + type + "' has a slash: only the id may have one");
    }
  }

  /** By bytes, which is the order in which stores list and lock objects. */
  @Override
  public int compareTo(ObjectName other) {
    int byType = type.compareTo(other.type);
    return byType == 0 ? id.compareTo(other.id) : byType;
  }

  @Override
  public String toString() {
    return type + "/" + id;
  }
}
