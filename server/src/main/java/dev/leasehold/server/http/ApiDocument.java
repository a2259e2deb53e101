package dev.leasehold.server.http;

import dev.leasehold.remote.api.Member;
import dev.leasehold.remote.api.Operation;
import dev.leasehold.remote.api.Parameter;
import dev.leasehold.remote.api.Schema;
import dev.leasehold.remote.api.Shape;
import dev.leasehold.remote.api.Vocabulary;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The OpenAPI document of a list of operations. Parts that several operations share stand once,
 * under {@code components}: every schema, the problem response, and each parameter that more than
 * one operation takes.
 */
final class ApiDocument {
  private static final String ABOUT =
      "Leases with fencing tokens. Times are milliseconds; remaining times are relative, so that no"
          + " client compares clocks. Requests with members that are not known are refused by name;"
          + " answers may have more members than are listed here.";

  private final List<Operation> operations;
  private final Map<String, Shape> shapes = new LinkedHashMap<>();
  private final Map<Parameter, String> shared = new LinkedHashMap<>();

  private ApiDocument(List<Operation> operations) {
    this.operations = operations;
    collect(Vocabulary.PROBLEM);
    for (Operation operation : operations) {
      operation.body().ifPresent(body -> collect(body.schema()));
      operation.answers().good().forEach(answer -> collect(answer.schema()));
      operation.parameters().forEach(this::share);
    }
  }

  static byte[] of(List<Operation> operations) {
    return Json.write(new ApiDocument(List.copyOf(operations))::write);
  }

  private void collect(Schema schema) {
    switch (schema) {
      case Shape shape -> {
        Shape known = shapes.putIfAbsent(shape.name(), shape);
        if (known == null) {
          shape.members().forEach(member -> collect(member.schema()));
        } else if (!known.equals(shape)) {
          throw new IllegalStateException("two shapes are called " + shape.name());
        }
      }
      case Schema.Items items -> collect(items.item());
      case Schema.Basic basic -> {}
      case Schema.Words words -> {}
    }
  }

  /** Two different parameters of one name are distinguished by a number. */
  private void share(Parameter parameter) {
    long uses = operations.stream().filter(other -> other.parameters().contains(parameter)).count();
    if (uses > 1 && !shared.containsKey(parameter)) {
      String name = parameter.name();
      long others = shared.keySet().stream().filter(one -> one.name().equals(name)).count();
      shared.put(parameter, others == 0 ? name : name + "-" + (others + 1));
    }
  }

  private void write(JsonOut out) {
    out.text("openapi", "3.1.0");
    out.object(
        "info",
        info -> info.text("title", "Leasehold").text("version", "1").text("description", ABOUT));
    out.list(
        "security",
        List.of(true, false),
        (item, keyed) -> {
          if (keyed) {
            item.words("key", List.of());
          }
        });
    out.object("paths", this::writePaths);
    out.object("components", this::writeComponents);
  }

  private void writePaths(JsonOut out) {
    Map<String, List<Operation>> paths = new LinkedHashMap<>();
    for (Operation operation : operations) {
      paths.computeIfAbsent(operation.documentedPath(), path -> new ArrayList<>()).add(operation);
    }
    paths.forEach(
        (path, ways) ->
            out.object(
                path,
                item ->
                    ways.forEach(
                        way ->
                            item.object(
                                way.method().toLowerCase(Locale.ROOT),
                                inner -> writeOperation(inner, way)))));
  }

  private void writeOperation(JsonOut out, Operation operation) {
    out.text("summary", operation.head().summary());
    if (!operation.parameters().isEmpty()) {
      out.list("parameters", operation.parameters(), this::writeUse);
    }
    operation.body().ifPresent(body -> out.object("requestBody", one -> writeBody(one, body)));
    out.object("responses", responses -> writeResponses(responses, operation.answers()));
  }

  private void writeBody(JsonOut out, Operation.Body body) {
    out.flag("required", true);
    nested(
        out,
        json -> {
          writeTyped(json, body.schema());
          json.json("example", bytes(body.example()));
        },
        "content",
        ApiResponse.JSON);
  }

  /** The innermost of objects within objects. */
  private static void nested(JsonOut out, Consumer<JsonOut> members, String... names) {
    Consumer<JsonOut> within = members;
    for (int i = names.length - 1; i > 0; i--) {
      String name = names[i];
      Consumer<JsonOut> inner = within;
      within = outer -> outer.object(name, inner);
    }
    out.object(names[0], within);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void writeResponses(JsonOut out, Operation.Answers answers) {
    Map<Integer, List<Operation.Response>> good = new LinkedHashMap<>();
    answers
        .good()
        .forEach(one -> good.computeIfAbsent(one.status(), s -> new ArrayList<>()).add(one));
    good.forEach(
        (status, ways) ->
            out.object(status.toString(), inner -> writeGood(inner, ways, answers.tagged())));
    answers
        .problems()
        .forEach(
            status -> out.object(status.toString(), inner -> refer(inner, "responses", "Problem")));
  }

  private void writeGood(JsonOut out, List<Operation.Response> ways, boolean tagged) {
    out.text("description", ways.getFirst().about());
    if (tagged) {
      nested(out, tag -> refer(tag, "headers", "ETag"), "headers", "ETag");
    }
    if (!ways.getFirst().mediaType().isEmpty()) {
      out.object(
          "content",
          content ->
              ways.forEach(
                  way ->
                      content.object(way.mediaType(), inner -> writeTyped(inner, way.schema()))));
    }
  }

  private void writeTyped(JsonOut out, Schema schema) {
    out.object("schema", inner -> writeSchema(inner, schema));
  }

  private void writeUse(JsonOut out, Parameter parameter) {
    if (shared.containsKey(parameter)) {
      refer(out, "parameters", shared.get(parameter));
    } else {
      writeParameter(out, parameter);
    }
  }

  private void writeParameter(JsonOut out, Parameter parameter) {
    out.text("name", parameter.name()).text("in", parameter.in().name().toLowerCase(Locale.ROOT));
    if (parameter.member().required()) {
      out.flag("required", true);
    }
    writeTyped(out, parameter.member().schema());
    out.textIfAny("description", parameter.member().about());
    out.textIfAny("example", parameter.example());
  }

  private void writeComponents(JsonOut out) {
    nested(out, key -> key.text("type", "http").text("scheme", "bearer"), "securitySchemes", "key");
    out.object(
        "parameters",
        inner ->
            shared.forEach(
                (parameter, name) -> inner.object(name, one -> writeParameter(one, parameter))));
    nested(
        out,
        tag -> writeTyped(tag.text("description", "the version in quotes"), Schema.Basic.TEXT),
        "headers",
        "ETag");
    nested(out, this::writeProblem, "responses", "Problem");
    out.object(
        "schemas",
        inner ->
            shapes.forEach((name, shape) -> inner.object(name, one -> writeShape(one, shape))));
  }

  private void writeProblem(JsonOut out) {
    out.text("description", "a problem (RFC 9457)");
    nested(out, json -> writeTyped(json, Vocabulary.PROBLEM), "content", Problem.MEDIA_TYPE);
  }

  private void writeShape(JsonOut out, Shape shape) {
    out.text("type", "object");
    List<String> required =
        shape.members().stream().filter(Member::required).map(Member::name).toList();
    if (!required.isEmpty()) {
      out.words("required", required);
    }
    out.object(
        "properties",
        inner ->
            shape
                .members()
                .forEach(
                    member ->
                        inner.object(
                            member.name(),
                            one -> {
                              writeSchema(one, member.schema());
                              one.textIfAny("description", member.about());
                            })));
  }

  private void writeSchema(JsonOut out, Schema schema) {
    switch (schema) {
      case Shape shape -> refer(out, "schemas", shape.name());
      case Schema.Items items ->
          out.text("type", "array").object("items", inner -> writeSchema(inner, items.item()));
      case Schema.Words words -> out.text("type", "string").words("enum", words.words());
      case Schema.Basic.TEXT -> out.text("type", "string");
      case Schema.Basic.NUMBER -> out.text("type", "integer");
      case Schema.Basic.FLAG -> out.text("type", "boolean");
      case Schema.Basic.TEXTS ->
          out.text("type", "object")
              .object("additionalProperties", inner -> inner.text("type", "string"));
      case Schema.Basic.ANY -> {
        // A schema without constraints allows any value.
      }
    }
  }

  private static void refer(JsonOut out, String kind, String name) {
    out.text("$ref", "#/components/" + kind + "/" + name);
  }
}
