package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.api.LeaseApi;
import dev.leasehold.remote.api.Operation;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replays the examples of the tables, and compares the answers with the document. */
@Timeout(120)
class OpenApiTest {
  /** Stands for the first granted token. */
  private static final String EXAMPLE_TOKEN = "750966441771009";

  private final Store store = MemoryStore.open();
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

  /** Routes come from the tables, so an operation that is missing here has no route. */
  @Test
  void everyOperationOfTheTablesIsServedAndNothingElseIs() {
    Set<String> written = new TreeSet<>();
    Members paths = document.object("paths");
    for (String path : paths.names()) {
      for (String method : paths.object(path).names()) {
        written.add(method.toUpperCase(Locale.ROOT) + " " + path);
      }
    }
    Set<String> declared = new TreeSet<>();
    ApiTables.all().forEach(one -> declared.add(one.method() + " " + one.documentedPath()));
    assertThat(written).isEqualTo(declared);
  }

  @Test
  void everyReferenceLeadsToAComponentAndEveryComponentIsUsed() {
    Set<String> used = new TreeSet<>();
    Pattern.compile("\"\\$ref\":\"#/components/([^\"]+)\"")
        .matcher(text)
        .results()
        .forEach(found -> used.add(found.group(1)));
    Set<String> known = new TreeSet<>();
    Members components = document.object("components");
    for (String kind : components.names()) {
      if (!kind.equals("securitySchemes")) {
        components.object(kind).names().forEach(name -> known.add(kind + "/" + name));
      }
    }
    assertThat(used).isEqualTo(known).contains("schemas/Problem", "responses/Problem");
  }

  @Test
  void theExamplesAreAnsweredAsTheDocumentSays() {
    for (Operation operation : ApiTables.inOrderOfReplay()) {
      if (!operation.equals(LeaseApi.WATCH)) {
        replay(operation);
      }
    }
    assertThat(replayed)
        .contains(
            "POST /v1/leases/acquire 200",
            "POST /v1/leases/renew 200",
            "GET /v1/leases/{kind}/{name} 200",
            "POST /v1/fences/{target}/seal 200",
            "POST /v1/leases/release 200",
            "POST /v1/leases/handover 409",
            "POST /v1/leases/batch 200",
            "PUT /v1/objects/{type}/{id} 201",
            "GET /v1/objects/{type}/{id} 200",
            "GET /v1/objects/{type} 200",
            "POST /v1/objects/batch 200",
            "POST /v1/objects/read 200",
            "GET /v1/objects 200",
            "POST /v1/objects/bind 200",
            "GET /v1/bindings 200",
            "POST /v1/objects/unbind 200",
            "POST /v1/ledger 200",
            "GET /v1/ledger 200",
            "POST /v1/store/purge 200",
            "POST /v1/store/advance 200");
  }

  private void replay(Operation operation) {
    String path = operation.documentedPath();
    String method = operation.method().toLowerCase(Locale.ROOT);
    Members written = document.object("paths").object(path).object(method);
    var body =
        operation.body().isPresent()
            ? BodyPublishers.ofString(example(operation, written))
            : BodyPublishers.noBody();
    Caller.Reply reply =
        caller.send(caller.request(address(path, written)).method(operation.method(), body));
    replayed.add(operation.method() + " " + path + " " + reply.status());
    Members responses = written.object("responses");
    assertThat(responses.names())
        .as("%s answers %s", path, reply.text())
        .contains(Integer.toString(reply.status()));
    Members content =
        resolved(responses.object(Integer.toString(reply.status()))).object("content");
    String type = content.names().iterator().next();
    assertThat(reply.type()).startsWith(type);
    if (type.endsWith("json")) {
      validate(path, content.object(type).object("schema"), reply.json());
    }
    if (operation.equals(LeaseApi.ACQUIRE)) {
      token = Long.toString(reply.token());
    }
  }

  private String address(String path, Members operation) {
    String address = path;
    StringBuilder query = new StringBuilder();
    for (Members use : operation.listIfAny("parameters", 100)) {
      Members parameter = resolved(use);
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
    assertThat(address).doesNotContain("{");
    return address + query;
  }

  private String example(Operation operation, Members written) {
    Members json = written.object("requestBody").object("content").object("application/json");
    String example = operation.body().orElseThrow().example();
    validate("request", json.object("schema"), json.object("example"));
    validate("request", json.object("schema"), Json.read(example.getBytes(StandardCharsets.UTF_8)));
    return example.replace(EXAMPLE_TOKEN, token);
  }

  /** Follows a reference; returns any other schema unchanged. */
  private Members resolved(Members given) {
    return given
        .textIfAny("$ref")
        .map(
            ref -> {
              String[] parts = ref.split("/", -1);
              return document.object(parts[1]).object(parts[2]).object(parts[3]);
            })
        .orElse(given);
  }

  private void validate(String where, Members given, Members value) {
    Members schema = resolved(given);
    if (schema.has("additionalProperties") || !schema.has("type")) {
      return;
    }
    if (schema.has("required")) {
      assertThat(value.names()).as(where).containsAll(schema.words("required", 100));
    }
    Members properties = schema.object("properties");
    for (String name : value.names()) {
      assertThat(properties.names()).as(where).contains(name);
      check(where + "." + name, resolved(properties.object(name)), value, name);
    }
  }

  private void check(String where, Members schema, Members value, String name) {
    switch (schema.textIfAny("type").orElse("any")) {
      case "any" -> assertThat(value.has(name)).as(where).isTrue();
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
