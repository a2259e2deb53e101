package dev.leasehold.blocks.objects.model;

/** The objects that can be bound to a key. */
public sealed interface ObjectScope {
  String type();

  /** The id of the one object; empty for a whole type, since no object has an empty id. */
  String id();

  static ObjectScope all(String type) {
    return new WholeType(type);
  }

  static ObjectScope one(ObjectName name) {
    return new One(name);
  }

  /** Every object of a type, later ones included. An object's own binding takes precedence. */
  record WholeType(String type) implements ObjectScope {
    public WholeType {
      ObjectName.requireType(type);
    }

    @Override
    public String id() {
      return "";
    }

    @Override
    public String toString() {
      return type;
    }
  }

  /** One object, even if it does not exist yet. */
  record One(ObjectName name) implements ObjectScope {
    @Override
    public String type() {
      return name.type();
    }

    @Override
    public String id() {
      return name.id();
    }

    @Override
    public String toString() {
      return name.toString();
    }
  }
}
