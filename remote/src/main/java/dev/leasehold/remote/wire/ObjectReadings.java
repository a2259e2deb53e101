package dev.leasehold.remote.wire;

import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Objects and bindings as JSON, with all their metadata. */
public final class ObjectReadings {
  /** Maximum number of names in a request; the answer has as many objects as fit on a page. */
  public static final int MAX_NAMES = ObjectQuery.MAX_LIMIT;

  private ObjectReadings() {}

  public static void writeNames(JsonOut out, List<ObjectName> names) {
    out.list("objects", names, ObjectCommands::writeName);
  }

  /** {@code check} gets each name as it is read, and refuses it by an exception. */
  public static List<ObjectName> readNames(JsonIn in, Consumer<ObjectName> check) {
    return in.batch(
            "objects",
            MAX_NAMES,
            one -> {
              ObjectName name = ObjectCommands.readName(one);
              one.nothingElse();
              check.accept(name);
              return name;
            })
        .alone();
  }

  /** The objects of the first names, as many as there are results. */
  public static void writeResults(
      JsonOut out, List<ObjectName> names, List<Optional<VersionedObject>> found) {
    Results.write(
        out,
        names,
        found,
        (item, name, object) -> {
          ObjectCommands.writeName(item, name);
          item.text("outcome", object.isPresent() ? "found" : "absent");
          object.ifPresent(present -> writeContent(item, present));
        });
  }

  public static List<Optional<VersionedObject>> readResults(Members members) {
    List<Optional<VersionedObject>> found = new ArrayList<>();
    for (Members one : members.list("results", MAX_NAMES)) {
      found.add(
          one.text("outcome").equals("found") ? Optional.of(readObject(one)) : Optional.empty());
    }
    return found;
  }

  public static void writePage(JsonOut out, ObjectPage page) {
    out.list(
        "items",
        page.items(),
        (item, object) -> writeContent(ObjectCommands.writeName(item, object.name()), object));
    out.text("next", page.next());
  }

  public static ObjectPage readPage(Members members) {
    return new ObjectPage(
        members.list("items", ObjectQuery.MAX_LIMIT, ObjectReadings::readObject),
        members.textIfAny("next"));
  }

  /**
   * For people and their programs: a payload that was put as JSON stands as JSON, any other in base
   * 64.
   */
  public static void writeListed(JsonOut out, VersionedObject object) {
    ObjectCommands.writeName(out, object.name()).number("version", object.version().value());
    byte[] bytes = object.payload().bytes();
    if (Json.isWellFormed(bytes)) {
      out.json("payload", bytes);
    } else {
      out.text("payloadBase64", ObjectCommands.base64(object.payload()));
    }
    writeTimes(out, object);
  }

  public static void writeListedPage(JsonOut out, ObjectPage page) {
    out.list("items", page.items(), ObjectReadings::writeListed);
    out.text("next", page.next());
  }

  private static void writeContent(JsonOut out, VersionedObject object) {
    out.number("version", object.version().value());
    out.text("payloadBase64", ObjectCommands.base64(object.payload()));
    writeTimes(out, object);
  }

  private static void writeTimes(JsonOut out, VersionedObject object) {
    out.number("createdAtMs", object.createdAtMillis());
    out.number("updatedAtMs", object.updatedAtMillis());
  }

  private static VersionedObject readObject(Members members) {
    return new VersionedObject(
        ObjectCommands.readName(members),
        ObjectOutcomes.version(members),
        ObjectCommands.payload(members),
        members.number("createdAtMs"),
        members.number("updatedAtMs"));
  }

  public static void writeBindings(JsonOut out, List<Binding> bindings) {
    out.list("items", bindings, ObjectReadings::write);
  }

  public static void write(JsonOut out, Binding binding) {
    ObjectCommands.writeScope(out, binding.scope()).text("key", binding.key().text());
    out.text("by", binding.by().name()).number("atMs", binding.atMillis());
  }

  public static List<Binding> readBindings(Members members) {
    return members.list("items", ObjectQuery.MAX_LIMIT, ObjectReadings::readBinding);
  }

  private static Binding readBinding(Members item) {
    return new Binding(
        ObjectCommands.readScope(item),
        Commands.key(item),
        item.parsed("by", Operator::new),
        item.number("atMs"));
  }

  /** The answer to a new binding, with the one that it replaced. */
  public static void writeBound(JsonOut out, Optional<LeaseKey> before) {
    out.text("outcome", "bound").text("before", before.map(LeaseKey::text));
  }

  /** The answer to the removal of a binding, with the binding, if there was one. */
  public static void writeUnbound(JsonOut out, Optional<LeaseKey> before) {
    out.text("outcome", before.isPresent() ? "unbound" : "free");
    out.text("before", before.map(LeaseKey::text));
  }

  public static Optional<LeaseKey> readBefore(Members members) {
    return members.parsedIfAny("before", LeaseKey::new);
  }
}
