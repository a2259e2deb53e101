package dev.leasehold.store.jdbc.ledger;

import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Anchor;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A charter as lines of text, each a word and its value. The same charter always gives the same
 * text. Lines with unknown words are skipped, since a newer release may have written them.
 */
final class CharterText {
  private CharterText() {}

  static String of(LeaseCharter charter) {
    List<String> lines = new ArrayList<>();
    lines.add("payload " + charter.payload());
    lines.add("covers " + charter.covers());
    lines.add("anchor " + charter.anchor());
    lines.add("ttl-ms " + charter.ttl().toMillis());
    charter.grace().ifPresent(grace -> lines.add("grace-ms " + grace.toMillis()));
    lines.add("stall-ms " + charter.stallLimit().millis());
    lines.add("handoff " + charter.handoff());
    for (Target target : charter.targets()) {
      lines.add("target " + target.check() + " " + target.whenUnsealed() + " " + target.name());
    }
    return String.join("\n", lines);
  }

  static String digest(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }

  static LeaseCharter read(String kind, String text) {
    Map<String, String> values = new HashMap<>();
    List<Target> targets = new ArrayList<>();
    try {
      for (String line : text.split("\n", -1)) {
        String[] words = line.split(" ", 2);
        if (words[0].equals("target")) {
          targets.add(target(words[1]));
        } else {
          values.put(words[0], words[1]);
        }
      }
      return new LeaseCharter(
          kind,
          Payload.valueOf(value(values, "payload")),
          value(values, "covers"),
          Anchor.valueOf(value(values, "anchor")),
          Duration.ofMillis(Long.parseLong(value(values, "ttl-ms"))),
          Optional.ofNullable(values.get("grace-ms"))
              .map(millis -> Duration.ofMillis(Long.parseLong(millis))),
          new StallLimit(Long.parseLong(value(values, "stall-ms"))),
          Handoff.valueOf(value(values, "handoff")),
          targets);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new StoreUnusableException(
          "the charter of '"
              + kind
              + "' was written by a release that this one does not know: upgrade this program ("
              + e.getMessage()
              + ")");
    }
  }

  private static Target target(String text) {
    String[] words = text.split(" ", 3);
    return new Target(words[2], Check.valueOf(words[0]), Unsealed.valueOf(words[1]));
  }

  private static String value(Map<String, String> values, String word) {
    String value = values.get(word);
    if (value == null) {
      throw new IllegalArgumentException("it has no " + word);
    }
    return value;
  }
}
