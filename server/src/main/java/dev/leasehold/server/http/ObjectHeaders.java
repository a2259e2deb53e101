package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.server.security.Permission;
import java.util.Optional;

/** The headers of a request for an object. */
final class ObjectHeaders {
  static final String KEY = "Leasehold-Key";
  static final String TOKEN = "Leasehold-Token";
  static final String INSTANCE_ID = "Leasehold-Instance-Id";
  static final String REQUEST_ID = "Leasehold-Request-Id";

  private static final String IF_MATCH = "If-Match";
  private static final String IF_NONE_MATCH = "If-None-Match";

  /** Counters begin at 1, so no object ever has this version. */
  private static final Version NEVER = Version.of(1, 0);

  private ObjectHeaders() {}

  static String tag(Version version) {
    return "\"" + version + "\"";
  }

  /** Whether the reader already has this version. */
  static boolean knows(Call call, Version version) {
    return call.header(IF_NONE_MATCH).filter(tag(version)::equals).isPresent();
  }

  static Expectation expected(Call call) {
    Optional<String> match = call.header(IF_MATCH);
    Optional<String> noneMatch = call.header(IF_NONE_MATCH);
    if (match.isPresent() && noneMatch.isPresent()) {
      throw ProblemException.badInput("If-Match and If-None-Match: give one of them");
    }
    if (noneMatch.isPresent() && !noneMatch.get().strip().equals("*")) {
      throw ProblemException.badInput("If-None-Match: a write can have * only, to create");
    }
    return noneMatch
        .map(star -> Expectation.ABSENCE)
        .or(() -> match.map(tag -> Expectation.at(version(tag.strip()))))
        .orElse(Expectation.ANYTHING);
  }

  /** A well-formed tag that is no version matches no object. */
  private static Version version(String tag) {
    if (!tag.matches("\"[^\"]*\"")) {
      throw ProblemException.badInput("If-Match: must be one version in quotes, as ETag gave it");
    }
    try {
      return Version.parse(tag.substring(1, tag.length() - 1));
    } catch (IllFormedException e) {
      return NEVER;
    }
  }

  /** The lease under which a write is made. The caller's API key must cover it too. */
  static Optional<Claim> claim(Call call) {
    Optional<String> key = call.header(KEY);
    Optional<String> token = call.header(TOKEN);
    if (key.isPresent() != token.isPresent()) {
      throw ProblemException.badInput(KEY + " and " + TOKEN + ": give both of them, or none");
    }
    Optional<String> instanceId = call.header(INSTANCE_ID);
    if (key.isEmpty() || token.isEmpty()) {
      if (instanceId.isPresent()) {
        throw ProblemException.badInput(
            INSTANCE_ID + ": it belongs to a token: give " + KEY + " and " + TOKEN + " too");
      }
      return Optional.empty();
    }
    LeaseKey leaseKey = new LeaseKey(key.get());
    call.require(Permission.HOLD, leaseKey);
    return Optional.of(
        new Claim(leaseKey, Token.parse(token.get()), call.principal().name(), instanceId));
  }

  /** Lets a client repeat a write whose answer was lost. */
  static RequestId requestId(Call call) {
    return call.header(REQUEST_ID).map(RequestId::new).orElseGet(RequestId::random);
  }
}
