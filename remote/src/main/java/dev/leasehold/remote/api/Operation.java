package dev.leasehold.remote.api;

import dev.leasehold.remote.api.Parameter.In;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** One operation of the API: a line of a block's table. */
public record Operation(
    Head head, List<Parameter> parameters, Optional<Body> body, Answers answers) {
  /** The largest body of an operation on one key. */
  public static final int SMALL_BODY = 64 * 1024;

  /** The largest body with one payload. */
  public static final int PAYLOAD_BODY = 2 * 1024 * 1024;

  /** The largest body of a batch. */
  public static final int BATCH_BODY = 32 * 1024 * 1024;

  private static final String JSON = "application/json";
  private static final int OK = 200;

  public Operation {
    parameters = List.copyOf(parameters);
  }

  /**
   * The requests that an operation answers.
   *
   * @param path with {@code {name}} for one segment, and {@code {name*}} for all segments that
   *     follow
   */
  public record Head(String method, String path, Access access, String summary) {}

  /**
   * The body of a request.
   *
   * @param maxBytes longer bodies are refused
   * @param example as JSON text
   */
  public record Body(Schema schema, int maxBytes, String example) {}

  /** A successful answer. */
  public record Response(int status, String about, String mediaType, Schema schema) {}

  /**
   * All possible answers.
   *
   * @param problems the status codes of refusals, each with a problem (RFC 9457) as its body
   * @param tagged whether answers carry an ETag
   */
  public record Answers(List<Response> good, SortedSet<Integer> problems, boolean tagged) {
    public Answers {
      good = List.copyOf(good);
      problems = new TreeSet<>(problems);
    }
  }

  public static Operation get(String path, Access access, String summary) {
    return of("GET", path, access, summary).problems(400, 401, 403, 404, 503);
  }

  static Operation delete(String path, Access access, String summary) {
    return of("DELETE", path, access, summary).problems(400, 401, 403, 503);
  }

  public static Operation post(String path, Access access, String summary) {
    return of("POST", path, access, summary).problems(400, 401, 403, 413, 415, 503);
  }

  static Operation put(String path, Access access, String summary) {
    return of("PUT", path, access, summary).problems(400, 401, 403, 413, 415, 503);
  }

  private static Operation of(String method, String path, Access access, String summary) {
    return new Operation(
        new Head(method, path, access, summary),
        List.of(),
        Optional.empty(),
        new Answers(List.of(), new TreeSet<>(), false));
  }

  Operation parameters(Parameter... more) {
    List<Parameter> all = Stream.concat(parameters.stream(), Stream.of(more)).toList();
    return new Operation(head, all, body, answers);
  }

  Operation body(Schema schema, int maxBytes, String example) {
    return new Operation(
        head, parameters, Optional.of(new Body(schema, maxBytes, example)), answers);
  }

  Operation answers(Schema schema) {
    return answers(OK, "done", JSON, schema);
  }

  Operation answers(int status, String about, Schema schema) {
    return answers(status, about, JSON, schema);
  }

  Operation answers(int status, String about, String mediaType, Schema schema) {
    List<Response> all = new ArrayList<>(answers.good());
    all.add(new Response(status, about, mediaType, schema));
    return answers(new Answers(all, answers.problems(), answers.tagged()));
  }

  /** The same operation, with an ETag on each answer. */
  Operation tagged() {
    return answers(new Answers(answers.good(), answers.problems(), true));
  }

  Operation problems(Integer... more) {
    SortedSet<Integer> all = new TreeSet<>(answers.problems());
    all.addAll(List.of(more));
    return answers(new Answers(answers.good(), all, answers.tagged()));
  }

  private Operation answers(Answers newAnswers) {
    return new Operation(head, parameters, body, newAnswers);
  }

  public String method() {
    return head.method();
  }

  public String path() {
    return head.path();
  }

  public Access access() {
    return head.access();
  }

  /** The path as OpenAPI writes it; a key is {@code {kind}/{name}}. */
  public String documentedPath() {
    return path().replace("{key*}", "{kind}/{name}").replace("*}", "}");
  }

  /** The known query parameters. */
  public List<String> query() {
    return parameters.stream()
        .filter(parameter -> parameter.in() == In.QUERY)
        .map(Parameter::name)
        .toList();
  }
}
