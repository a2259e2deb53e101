package dev.leasehold.cli.object;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectScope;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** The objects that a binding is about. */
@SuppressWarnings("NullAway.Init") // required, so picocli sets it before a command runs
final class ScopeParameters {
  @Parameters(index = "0", paramLabel = "TYPE", description = "What kind of objects: config.")
  String type;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "ID",
      description = "One of them; without it, all of the type.")
  Optional<String> id = Optional.empty();

  ObjectScope scope() {
    return id.map(one -> ObjectScope.one(ObjectName.of(type, one)))
        .orElseGet(() -> ObjectScope.all(type));
  }
}
