package dev.leasehold.verification.accounts;

import dev.leasehold.cli.demo.Account;
import dev.leasehold.cli.demo.Entry;
import dev.leasehold.cli.demo.Permit;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.files.GenerationFile;
import dev.leasehold.fence.files.Written;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** An account that is a file, which is replaced as a whole. */
final class FileAccount implements Account {
  /** More would only grow. */
  private static final int ENTRIES_KEPT = 20;

  private final Content content;

  /** How the file is replaced. */
  private interface Content {
    Admission seal(Claim claim) throws IOException;

    Optional<byte[]> read() throws IOException;

    Admission write(Claim claim, byte[] bytes) throws IOException;
  }

  private FileAccount(Content content) {
    this.content = content;
  }

  static FileAccount inGenerations(Path path, LeaseKey key, RefusalTrail trail) {
    return new FileAccount(new Generations(GenerationFile.at(path, key, trail)));
  }

  static FileAccount replaced(Path path) {
    return new FileAccount(new Plain(path));
  }

  private record Generations(GenerationFile file) implements Content {
    @Override
    public Admission seal(Claim claim) {
      return file.seal(claim);
    }

    @Override
    public Optional<byte[]> read() throws IOException {
      return file.read();
    }

    @Override
    public Admission write(Claim claim, byte[] bytes) throws IOException {
      return switch (file.write(claim, bytes)) {
        case Written.Made made -> Admission.ADMITTED;
        case Written.NotMade notMade -> notMade.why();
        case Written.Overtaken overtaken -> new Admission.Stale(overtaken.by());
      };
    }
  }

  /** Each write by its own name first, and then in one step: as careful as it can be alone. */
  private record Plain(Path path) implements Content {
    @Override
    public Admission seal(Claim claim) {
      return Admission.ADMITTED;
    }

    @Override
    public Optional<byte[]> read() throws IOException {
      try {
        return Optional.of(Files.readAllBytes(path));
      } catch (NoSuchFileException e) {
        return Optional.empty();
      }
    }

    @Override
    public Admission write(Claim claim, byte[] bytes) throws IOException {
      Path temporary = Path.of(path + "." + claim.token() + ".new");
      Files.write(temporary, bytes);
      Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
      return Admission.ADMITTED;
    }
  }

  @Override
  public void prepare() {
    // The folder is there, and the first write makes the file.
  }

  @Override
  public Admission seal(Claim claim) throws IOException {
    return content.seal(claim);
  }

  @Override
  public List<Entry> read() throws IOException {
    String text = new String(content.read().orElse(new byte[0]), StandardCharsets.UTF_8);
    return text.lines().map(Entry::parse).toList();
  }

  @Override
  public Admission write(Permit permit, List<Entry> log) throws IOException {
    String text =
        log.stream()
            .skip(Math.max(0, log.size() - ENTRIES_KEPT))
            .map(entry -> entry + "\n")
            .collect(Collectors.joining());
    return content.write(permit.claim(), text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    // Nothing is kept open.
  }
}
