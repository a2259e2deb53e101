package dev.leasehold.blocks.objects;

/** What can be bound to a key. */
public sealed interface ObjectScope {
  String type();

  /** Of the one object; empty for a whole type, as which no object is called. */
  String id();

  static ObjectScope all(String type) {
    return new WholeType(type);
  }

  static ObjectScope one(ObjectName name) {
    return new One(name);
  }

  /** Every object of a type, those to come included; an object's own binding goes before. */
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

  /** One object, whether it exists or not. */
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
