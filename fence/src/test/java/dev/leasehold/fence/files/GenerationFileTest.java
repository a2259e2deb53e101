package dev.leasehold.fence.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.FenceUnavailableException;
import dev.leasehold.fence.Guarantee.Durability;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GenerationFileTest {
  private static final LeaseKey KEY = LeaseKey.of("lock", "a");

  private final RefusalTrail trail = new RefusalTrail(InstantSource.fixed(Instant.EPOCH));
  private Path folder;
  private GenerationFile file;

  @BeforeEach
  void open(@TempDir Path newFolder) {
    folder = newFolder;
    file = GenerationFile.at(folder.resolve("ledger"), KEY, trail);
  }

  private static Claim claim(long token) {
    return Claim.of(KEY, new Token(token));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private Written write(long token, String text) throws IOException {
    return file.write(claim(token), bytes(text));
  }

  private Optional<String> read() throws IOException {
    return file.read().map(content -> new String(content, UTF_8));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private static Written notMade(long current) {
    return new Written.NotMade(new Admission.Stale(new Token(current)));
  }

  @Test
  void what_the_highest_token_has_written_is_read() throws IOException {
    assertThat(read()).isEmpty();
    assertThat(write(5, "five")).isEqualTo(new Written.Made());
    assertThat(read()).contains("five");
    assertThat(write(5, "five again")).isEqualTo(new Written.Made());
    assertThat(read()).contains("five again");
    assertThat(file.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(read()).contains("five again");
    assertThat(write(5, "late")).isEqualTo(notMade(6));
    assertThat(write(6, "")).isEqualTo(new Written.Made());
    assertThat(read()).contains("");
    assertThat(trail.newestFirst()).hasSize(1);
    assertThat(trail.newestFirst().getFirst().target()).isEqualTo("ledger");
  }

  @Test
  void sealing_an_empty_place_keeps_lower_tokens_out_of_it() throws IOException {
    assertThat(file.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(file.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(read()).isEmpty();
    assertThat(file.seal(claim(5))).isEqualTo(new Admission.Stale(new Token(6)));
    assertThat(file.admit(claim(5))).isEqualTo(new Admission.Stale(new Token(6)));
    assertThat(file.admit(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(write(5, "late")).isEqualTo(notMade(6));
    assertThat(read()).isEmpty();
  }

  /** The last step of a writer that was stopped before it. */
  @Test
  void a_late_write_lands_where_no_reader_looks() throws IOException {
    assertThat(write(5, "five")).isEqualTo(new Written.Made());
    assertThat(file.seal(claim(6))).isEqualTo(Admission.ADMITTED);
    assertThat(new DiskFolder(folder).rename(late(), "ledger.0000000000000005")).isTrue();
    assertThat(read()).contains("five");
  }

  private String late() throws IOException {
    new DiskFolder(folder).create("ledger.0000000000000005.x.tmp", bytes("late"));
    return "ledger.0000000000000005.x.tmp";
  }

  @Test
  void old_generations_and_what_crashed_writers_left_are_cleaned_up() throws IOException {
    for (long token = 1; token <= 4; token++) {
      assertThat(write(token, "" + token)).isEqualTo(new Written.Made());
    }
    String unused = late();
    for (long token = 5; token <= 8; token++) {
      assertThat(write(token, "" + token)).isEqualTo(new Written.Made());
    }
    assertThat(names())
        .containsExactly(
            "ledger.0000000000000000",
            "ledger.0000000000000006",
            "ledger.0000000000000006.sealed",
            "ledger.0000000000000007",
            "ledger.0000000000000007.sealed",
            "ledger.0000000000000008",
            "ledger.0000000000000008.sealed");
  }

  /** A disk that has room for empty files and for the first half of the content of others. */
  private static Folder full(Folder disk) {
    return (Folder)
        Proxy.newProxyInstance(
            Folder.class.getClassLoader(),
            new Class<?>[] {Folder.class},
            (proxy, method, given) -> {
              if (given != null && given.length == 2 && given[1] instanceof byte[] content) {
                disk.create((String) given[0], Arrays.copyOf(content, content.length / 2));
                throw new IOException("No space left on device");
              }
              return method.invoke(disk, given);
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_write_that_fails_leaves_nothing_behind(boolean isFirst) throws IOException {
    if (!isFirst) {
      assertThat(write(5, "five")).isEqualTo(new Written.Made());
    }
    List<String> before = names();
    GenerationFile onFullDisk =
        new GenerationFile(
            new GenerationFile.Place(full(new DiskFolder(folder)), new Names("ledger")),
            KEY,
            trail,
            IssuedTokens.unseen());
    assertThatThrownBy(() -> onFullDisk.write(claim(5), bytes("more")))
        .isInstanceOf(IOException.class)
        .hasMessage("No space left on device");
    assertThat(names()).isEqualTo(before);
    assertThat(read()).isEqualTo(isFirst ? Optional.empty() : Optional.of("five"));
  }

  @Test
  void files_of_others_are_left_alone() throws IOException {
    List<String> others = List.of("ledger", "ledger.bak", "ledger2.0000000000000001", "ledger.7");
    for (String other : others) {
      Files.writeString(folder.resolve(other), "mine");
    }
    for (long token = 1; token <= 8; token++) {
      assertThat(write(token, "" + token)).isEqualTo(new Written.Made());
    }
    assertThat(read()).contains("8");
    assertThat(names()).containsAll(others);
  }

  @Test
  void the_longest_tokens_have_names_too() throws IOException {
    assertThat(write(5, "five")).isEqualTo(new Written.Made());
    assertThat(write(Token.HIGHEST.value(), "last")).isEqualTo(new Written.Made());
    assertThat(read()).contains("last");
  }

  @Test
  void an_invented_token_is_refused_and_leaves_no_trace() throws IOException {
    GenerationFile seeing =
        file.issuedBy(
            (key, token) ->
                switch ((int) token.value()) {
                  case 1, 3 -> new IssuedTokens.Granted();
                  case 2 -> new IssuedTokens.Voided();
                  default -> new IssuedTokens.Never(Optional.of(new Token(3)));
                });
    Admission.Refused unissued = new Admission.Unissued(Optional.of(new Token(3)));
    assertThat(seeing.write(claim(1), bytes("1"))).isEqualTo(new Written.Made());
    assertThat(seeing.seal(claim(9))).isEqualTo(unissued);
    assertThat(seeing.admit(claim(9))).isEqualTo(unissued);
    assertThat(seeing.write(claim(9), bytes("9"))).isEqualTo(new Written.NotMade(unissued));
    assertThat(seeing.write(claim(2), bytes("2")))
        .isEqualTo(new Written.NotMade(new Admission.Unissued(Optional.of(new Token(2)))));
    assertThat(seeing.write(claim(1), bytes("1 again"))).isEqualTo(new Written.Made());
    assertThat(seeing.seal(claim(2))).isEqualTo(Admission.ADMITTED);
    assertThat(seeing.seal(claim(2))).isEqualTo(Admission.ADMITTED);
    assertThat(seeing.write(claim(2), bytes("2"))).isEqualTo(notMade(2));
    assertThat(seeing.write(claim(1), bytes("late"))).isEqualTo(notMade(2));
    assertThat(read()).contains("1 again");
    assertThat(seeing.write(claim(3), bytes("3"))).isEqualTo(new Written.Made());
    assertThat(read()).contains("3");
  }

  @Test
  void another_keys_token_says_nothing_here() {
    Claim other = Claim.of(LeaseKey.of("lock", "b"), new Token(5));
    assertThatThrownBy(() -> file.seal(other))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("'ledger' is written under lock/a, not under lock/b");
    assertThatThrownBy(() -> file.write(other, bytes("x"))).isInstanceOf(IllFormedException.class);
  }

  @Test
  void a_folder_that_is_not_there_is_neither_an_admission_nor_a_refusal() {
    GenerationFile nowhere = GenerationFile.at(folder.resolve("no/ledger"), KEY, trail);
    assertThatThrownBy(() -> nowhere.seal(claim(5))).isInstanceOf(FenceUnavailableException.class);
    assertThat(trail.newestFirst()).isEmpty();
  }

  @Test
  void it_holds_for_what_lasts() {
    assertThat(file.guarantee().holdsFor(Durability.DURABLE)).isTrue();
  }
}
