package dev.leasehold.cli;

import dev.leasehold.blocks.objects.ObjectScope;

/** How bindings are written. */
final class Bindings {
  private Bindings() {}

  static Json json(String outcome, ObjectScope scope) {
    return json(new Json().with("outcome", outcome), scope);
  }

  static Json json(Json json, ObjectScope scope) {
    Json typed = json.with("type", scope.type());
    return scope.id().isEmpty() ? typed : typed.with("id", scope.id());
  }
}
