package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.store.jdbc.changes.ChangeKind;
import dev.leasehold.store.jdbc.changes.ChangeLines;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Changes of objects, sent to their watchers at once. */
public enum ObjectChanges implements ChangeKind<ObjectChange> {
  KIND;

  @Override
  public Set<String> words() {
    return Arrays.stream(ObjectChange.Kind.values()).map(Enum::name).collect(Collectors.toSet());
  }

  @Override
  public String line(ObjectChange change) {
    return "%s %d %s %s"
        .formatted(
            change.kind(), change.version().value(), change.name().type(), change.name().id());
  }

  @Override
  public ObjectChange read(String line) {
    String[] words = ChangeLines.words(line, 4);
    return new ObjectChange(
        ObjectChange.Kind.valueOf(words[0]),
        ObjectName.of(words[2], words[3]),
        new Version(Long.parseLong(words[1])));
  }

  @Override
  public boolean concerns(ObjectChange change, String type) {
    return change.isOf(type);
  }

  @Override
  public boolean isUrgent(ObjectChange change) {
    return true;
  }

  @Override
  public List<ObjectChange> news(List<ObjectChange> changes) {
    return changes;
  }
}
