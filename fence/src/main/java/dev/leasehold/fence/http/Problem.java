package dev.leasehold.fence.http;

import com.sun.net.httpserver.HttpExchange;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Answers as {@code application/problem+json} (RFC 9457), with additional members. */
final class Problem {
  static final String MEDIA_TYPE = "application/problem+json";
  static final int CONFLICT = 409;

  private final int status;
  private final Map<String, Object> members = new LinkedHashMap<>();

  private Problem(int status, String title, String detail) {
    this.status = status;
    members.put("type", "about:blank");
    members.put("title", title);
    members.put("status", status);
    members.put("detail", detail);
  }

  static Problem of(int status, String title, String detail) {
    return new Problem(status, title, detail);
  }

  static Problem refused(String target, Claim claim, Admission.Refused refused) {
    String what =
        switch (refused) {
          case Admission.Stale stale ->
              "was followed by another; its bearer is no longer the holder and must stop";
          case Admission.Unissued unissued ->
              "belongs to no grant; either it was made up, or its issuer has lost writes";
        };
    Problem problem =
        of(CONFLICT, "Token refused", "token " + claim.token() + " of " + claim.key() + " " + what);
    problem.members.put("outcome", outcome(refused));
    problem.members.put("target", target);
    problem.members.put("key", claim.key().text());
    problem.members.put("token", claim.token().value());
    refused.bound().ifPresent(bound -> problem.members.put("current", bound.value()));
    return problem;
  }

  static String outcome(Admission.Refused refused) {
    return switch (refused) {
      case Admission.Stale stale -> "stale";
      case Admission.Unissued unissued -> "unissued";
    };
  }

  void send(HttpExchange exchange) throws IOException {
    send(exchange, status, MEDIA_TYPE, json(members));
  }

  static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  static String json(Map<String, Object> members) {
    return members.entrySet().stream()
        .map(member -> quoted(member.getKey()) + ":" + value(member.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String value(Object value) {
    return value instanceof Number ? value.toString() : quoted(value.toString());
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
