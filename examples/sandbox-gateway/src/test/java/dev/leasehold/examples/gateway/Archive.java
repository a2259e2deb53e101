package dev.leasehold.examples.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.blocks.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A copy of the records when a term had begun, to be compared with later ones. */
record Archive(Token term, Map<String, Sandbox> then) {
  private static final System.Logger LOG = System.getLogger(Archive.class.getName());
  private static final int MAX_ATTEMPTS = 10;
  private static final Pattern UNDER = Pattern.compile(" under (\\d+)$");

  /** Created when this term has begun, so that it contains all writes of earlier terms. */
  static Archive of(Token term, VersionedObjects objects) {
    return new Archive(term, records(objects));
  }

  static Map<String, Sandbox> records(VersionedObjects objects) {
    for (int attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        return read(objects);
      } catch (StoreUnavailableException e) {
        LOG.log(Level.INFO, "a busy store is asked again", e);
      }
    }
    return read(objects);
  }

  private static Map<String, Sandbox> read(VersionedObjects objects) {
    Function<VersionedObject, String> id = one -> one.name().id();
    return objects.list(ObjectQuery.all(Sandbox.TYPE)).items().stream()
        .collect(Collectors.toMap(id, one -> Sandbox.of(one.payload())));
  }

  /** Asserts that no write is lost, and that nothing was written under an earlier term since. */
  void compareWith(Map<String, Sandbox> now) {
    then.forEach(
        (id, before) -> {
          Optional<Sandbox> found = Optional.ofNullable(now.get(id));
          found.ifPresent(after -> compare(id, before.history(), after.history()));
        });
  }

  private void compare(String id, List<String> before, List<String> after) {
    assertThat(after).as("history of %s", id).startsWith(before.toArray(String[]::new));
    for (String line : after.subList(before.size(), after.size())) {
      Matcher under = UNDER.matcher(line);
      if (under.find()) {
        assertThat(Token.parse(under.group(1)).value())
            .as("%s: '%s' was written after %s had begun", id, line, term)
            .isGreaterThanOrEqualTo(term.value());
      }
    }
  }
}
