package dev.leasehold.fence.http;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;

/** Reads and writes the headers of a claim. */
final class FenceHeaders {
  static final String KEY = "Leasehold-Key";
  static final String TOKEN = "Leasehold-Token";
  static final String HOLDER = "Leasehold-Holder";
  static final String INSTANCE_ID = "Leasehold-Instance-Id";

  private FenceHeaders() {}

  static void write(HttpRequest.Builder request, Claim claim) {
    request.setHeader(KEY, claim.key().text());
    request.setHeader(TOKEN, claim.token().toString());
    // The holder's name is for people only, and headers are ASCII.
    request.setHeader(HOLDER, claim.who().replaceAll("[^ -~]", "?"));
    claim.instanceId().ifPresent(id -> request.setHeader(INSTANCE_ID, id));
  }

  /** Reads a claim; the names of headers may be in any case. */
  static Claim read(Map<String, List<String>> headers) {
    Claim claim =
        Claim.of(new LeaseKey(required(headers, KEY)), Token.parse(required(headers, TOKEN)));
    List<String> holder = headers.getOrDefault(HOLDER, List.of());
    Claim named = holder.isEmpty() ? claim : claim.by(holder.getFirst());
    return headers.containsKey(INSTANCE_ID)
        ? named.ofInstance(required(headers, INSTANCE_ID))
        : named;
  }

  private static String required(Map<String, List<String>> headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    if (values.size() != 1) {
      // A repeated header is refused: otherwise two readers could pick different tokens.
      throw new IllFormedException(
          "the request has "
              + (values.isEmpty() ? "no " : "more than one ")
              + name
              + ": a change needs the key of the lease that it is made under in "
              + KEY
              + ", and the token of its grant in "
              + TOKEN);
    }
    return values.getFirst();
  }
}
