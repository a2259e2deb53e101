package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.Version;
import java.util.Optional;

/** The headers of a request for an object. */
final class ObjectHeaders {
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
}
