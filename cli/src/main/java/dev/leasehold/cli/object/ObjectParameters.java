package dev.leasehold.cli.object;

import dev.leasehold.blocks.objects.model.ObjectName;
import picocli.CommandLine.Parameters;

/** The object that a command is about. */
@SuppressWarnings("NullAway.Init") // required, so picocli sets them before a command runs
final class ObjectParameters {
  @Parameters(index = "0", paramLabel = "TYPE", description = "What kind of object: config.")
  String type;

  @Parameters(
      index = "1",
      paramLabel = "ID",
      description = "Which one of them: web, or eu/web; up to 255 visible characters.")
  String id;

  ObjectName name() {
    return ObjectName.of(type, id);
  }
}
