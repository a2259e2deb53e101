package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replays the examples of the document, in its order, and holds the answers against it. */
@Timeout(120)
class OpenApiTest {
  /** Stands for the token that is granted first. */
  private static final String EXAMPLE_TOKEN = "750966441771009";

  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final LeaseholdServer server = LeaseholdServer.on(store).start();
  private final Caller caller = new Caller(server.address());
  private final String text = caller.get("/v1/openapi.json").text();
  private final Members document = Json.read(text.getBytes(StandardCharsets.UTF_8));
  private final List<String> replayed = new ArrayList<>();
  private String token = EXAMPLE_TOKEN;

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  @Test
  void theExamplesAreAnsweredAsTheDocumentSays() {
    Members paths = document.object("paths");
    for (String path : paths.names()) {
      Members item = paths.object(path);
      for (String method : item.names()) {
        if (!path.equals("/v1/leases/watch")) {
          replay(path, method, item.object(method));
        }
      }
    }
    assertThat(replayed)
        .contains(
            "/v1/leases/acquire 200",
            "/v1/leases/renew 200",
            "/v1/leases/{kind}/{name} 200",
            "/v1/fences/{target}/seal 200",
            "/v1/leases/release 200",
            "/v1/leases/handover 409",
            "/v1/leases/batch 200",
            "/v1/objects/{type}/{id} 201",
            "/v1/objects/{type}/{id} 200",
            "/v1/objects/{type} 200",
            "/v1/objects/batch 200",
            "/v1/objects/read 200",
            "/v1/objects 200",
            "/v1/objects/bind 200",
            "/v1/bindings 200",
            "/v1/objects/unbind 200")
        // One is a stream; one has three methods.
        .hasSize(paths.names().size() - 1 + 2);
  }

  private void replay(String path, String method, Members operation) {
    String address = address(path, operation);
    var body =
        operation.has("requestBody")
            ? BodyPublishers.ofString(example(path, operation))
            : BodyPublishers.noBody();
    Caller.Reply reply =
        caller.send(caller.request(address).method(method.toUpperCase(Locale.ROOT), body));
    replayed.add(path + " " + reply.status());
    Members responses = operation.object("responses");
    assertThat(responses.names())
        .as("%s answers %s", path, reply.text())
        .contains(Integer.toString(reply.status()));
    Members content = responses.object(Integer.toString(reply.status())).object("content");
    String type = content.names().iterator().next();
    assertThat(reply.type()).startsWith(type);
    if (type.endsWith("json")) {
      validate(path, content.object(type).object("schema"), reply.json());
    }
    if (path.equals("/v1/leases/acquire")) {
      token = Long.toString(reply.token());
    }
  }

  private static String address(String path, Members operation) {
    String address = path;
    StringBuilder query = new StringBuilder();
    List<Members> parameters =
        operation.has("parameters") ? operation.list("parameters", 100) : List.of();
    for (Members parameter : parameters) {
      Optional<String> example = parameter.textIfAny("example");
      if (parameter.text("in").equals("path")) {
        address = address.replace("{" + parameter.text("name") + "}", example.orElseThrow());
      } else if (parameter.text("in").equals("query") && example.isPresent()) {
        query
            .append(query.isEmpty() ? "?" : "&")
            .append(parameter.text("name"))
            .append('=')
            .append(example.get());
      }
    }
    return address + query;
  }

  private String example(String path, Members operation) {
    Members json = operation.object("requestBody").object("content").object("application/json");
    validate("request", json.object("schema"), json.object("example"));
    return exampleText(path).replace(EXAMPLE_TOKEN, token);
  }

  /** As it is written in the document; no example has a brace in a string. */
  private String exampleText(String path) {
    int at = text.indexOf("\"example\": {", text.indexOf("\"" + path + "\": {"));
    int start = text.indexOf('{', at);
    int end = start;
    int open = 0;
    do {
      open += text.charAt(end) == '{' ? 1 : text.charAt(end) == '}' ? -1 : 0;
      end++;
    } while (open > 0);
    return text.substring(start, end);
  }

  private Members resolved(Members schema) {
    return schema
        .textIfAny("$ref")
        .map(
            ref ->
                document
                    .object("components")
                    .object("schemas")
                    .object(ref.substring(ref.lastIndexOf('/') + 1)))
        .orElse(schema);
  }

  private void validate(String where, Members given, Members value) {
    Members schema = resolved(given);
    if (schema.has("additionalProperties")) {
      return;
    }
    if (schema.has("required")) {
      assertThat(value.names()).as(where).containsAll(schema.words("required", 100));
    }
    Members properties = schema.object("properties");
    for (String name : value.names()) {
      if (where.equals("request") && name.equals("commands")) {
        continue;
      }
      assertThat(properties.names()).as(where).contains(name);
      check(where + "." + name, resolved(properties.object(name)), value, name);
    }
  }

  private void check(String where, Members schema, Members value, String name) {
    switch (schema.text("type")) {
      case "string" -> {
        if (schema.has("enum")) {
          assertThat(schema.words("enum", 100)).as(where).contains(value.text(name));
        }
        assertThat(value.text(name)).as(where).isNotNull();
      }
      case "integer" -> assertThat(value.number(name)).as(where).isNotNegative();
      case "boolean" -> assertThat(value.flag(name, false)).as(where).isIn(true, false);
      case "object" -> validate(where, schema, value.object(name));
      case "array" ->
          value.list(name, 10_000).forEach(item -> validate(where, schema.object("items"), item));
      default -> throw new AssertionError(where + " has a type of its own");
    }
  }
}
