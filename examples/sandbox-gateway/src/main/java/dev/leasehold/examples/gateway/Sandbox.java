package dev.leasehold.examples.gateway;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The wanted state of a sandbox, and its progress; stored as lines of text.
 *
 * @param note the users' note, replaced by a user that has read it
 * @param labels the users' labels, each added once
 * @param history one line for each phase, with the replica that set it
 */
record Sandbox(String image, Phase phase, String note, List<String> labels, List<String> history) {
  static final String TYPE = "sandbox";

  /** A new sandbox is provisioning; a deleted one has no record. */
  enum Phase {
    PROVISIONING,
    READY,
    ERROR,
    DELETING
  }

  static Sandbox wanted(String image, String by) {
    return new Sandbox(image, Phase.PROVISIONING, "", List.of(), List.of())
        .in(Phase.PROVISIONING, by);
  }

  static ObjectName name(String id) {
    return ObjectName.of(TYPE, id);
  }

  Sandbox in(Phase next, String by) {
    return new Sandbox(image, next, note, labels, with(history, next + " by " + by));
  }

  Sandbox noted(String newNote) {
    return new Sandbox(image, phase, newNote, labels, history);
  }

  Sandbox labelled(String label) {
    return labels.contains(label)
        ? this
        : new Sandbox(image, phase, note, with(labels, label), history);
  }

  private static List<String> with(List<String> list, String last) {
    return Stream.concat(list.stream(), Stream.of(last)).toList();
  }

  Payload payload() {
    return Payload.ofText(text());
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("image ").append(image).append('\n');
    text.append("phase ").append(phase).append('\n');
    text.append("note ").append(note).append('\n');
    labels.forEach(label -> text.append("label ").append(label).append('\n'));
    history.forEach(line -> text.append("was ").append(line).append('\n'));
    return text.toString();
  }

  static Sandbox of(Payload payload) {
    return of(payload.text());
  }

  static Sandbox of(String text) {
    String image = "";
    Phase phase = Phase.PROVISIONING;
    String note = "";
    List<String> labels = new ArrayList<>();
    List<String> history = new ArrayList<>();
    for (String line : text.lines().toList()) {
      String value = line.substring(line.indexOf(' ') + 1);
      switch (line.substring(0, line.indexOf(' '))) {
        case "image" -> image = value;
        case "phase" -> phase = Phase.valueOf(value);
        case "note" -> note = value;
        case "label" -> labels.add(value);
        case "was" -> history.add(value);
        default -> throw new IllegalArgumentException("not a line of a sandbox: " + line);
      }
    }
    return new Sandbox(image, phase, note, labels, history);
  }
}
