package dev.leasehold.remote.wire;

import dev.leasehold.blocks.objects.Binding;
import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Objects and bindings as JSON, with all that is known of them. */
public final class ObjectReadings {
  /** A reader asks for so many at the most, and is answered as many as a page has room for. */
  public static final int MAX_NAMES = ObjectQuery.MAX_LIMIT;

  private ObjectReadings() {}

  public static void writeNames(JsonOut out, List<ObjectName> names) {
    out.list("objects", names, ObjectCommands::writeName);
  }

  public static List<ObjectName> readNames(Members members) {
    List<ObjectName> names = new ArrayList<>();
    for (Members one : members.list("objects", MAX_NAMES)) {
      names.add(ObjectCommands.readName(one));
      one.nothingElse();
    }
    members.nothingElse();
    return names;
  }

  /** What is there under the first of the names, as many as there are results. */
  public static void writeResults(
      JsonOut out, List<ObjectName> names, List<Optional<VersionedObject>> found) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      places.add(i);
    }
    out.list(
        "results",
        places,
        (item, i) -> {
          ObjectCommands.writeName(item, names.get(i));
          Optional<VersionedObject> object = found.get(i);
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
        members.list("items", ObjectQuery.MAX_LIMIT).stream()
            .map(ObjectReadings::readObject)
            .toList(),
        members.textIfAny("next"));
  }

  private static void writeContent(JsonOut out, VersionedObject object) {
    out.number("version", object.version().value());
    out.text("payloadBase64", ObjectCommands.base64(object.payload()));
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
    out.list(
        "items",
        bindings,
        (item, binding) -> {
          ObjectCommands.writeScope(item, binding.scope()).text("key", binding.key().text());
          item.text("by", binding.by().name()).number("atMs", binding.atMillis());
        });
  }

  public static List<Binding> readBindings(Members members) {
    return members.list("items", ObjectQuery.MAX_LIMIT).stream()
        .map(
            item ->
                new Binding(
                    ObjectCommands.readScope(item),
                    Commands.key(item),
                    item.parsed("by", Operator::new),
                    item.number("atMs")))
        .toList();
  }

  /** To which key something was bound. */
  public static void writeBefore(JsonOut out, Optional<LeaseKey> before) {
    out.text("before", before.map(LeaseKey::text));
  }

  public static Optional<LeaseKey> readBefore(Members members) {
    return members.parsedIfAny("before", LeaseKey::new);
  }
}
