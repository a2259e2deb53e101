package dev.leasehold.fence.files;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.FenceUnavailableException;
import dev.leasehold.fence.Guarantee;
import dev.leasehold.fence.Guarantee.Atomicity;
import dev.leasehold.fence.Guarantee.Durability;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Texts;
import dev.leasehold.fence.Token;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A file that is written under one key and replaced as a whole. Each token has its own generation
 * of it, and {@link #read} returns that of the highest token. The package document explains how and
 * why.
 *
 * <p>{@link #write} seals first if its token has not sealed yet, so that every generation starts
 * from the previous content. Write and read the file only through this class: the newest file of a
 * listing may be a write that was never confirmed.
 */
public final class GenerationFile implements Fence {
  private static final Guarantee GUARANTEE =
      new Guarantee(Durability.DURABLE, Atomicity.WITH_CHANGE);
  private static final int MAX_NAME = 150;

  /** How many generations are kept, to look back at. */
  private static final int GENERATIONS_KEPT = 3;

  /** The content that the first token finds. */
  private static final byte[] NOTHING =
      "leasehold: nothing has been written yet\n".getBytes(StandardCharsets.US_ASCII);

  private final Place place;
  private final Folder folder;
  private final Names names;
  private final LeaseKey key;
  private final RefusalTrail trail;
  private final IssuedTokens issued;

  GenerationFile(Place place, LeaseKey key, RefusalTrail trail, IssuedTokens issued) {
    this.place = place;
    this.folder = place.folder();
    this.names = place.names();
    this.key = key;
    this.trail = trail;
    this.issued = issued;
  }

  /** The folder of the generations, and their names. */
  record Place(Folder folder, Names names) {}

  /**
   * The file with this path, in an existing folder. This fence cannot reach the issuer, so an
   * invented token locks out the rightful holder.
   */
  public static GenerationFile at(Path file, LeaseKey key, RefusalTrail trail) {
    Path name = file.getFileName();
    Path folder = file.toAbsolutePath().getParent();
    if (name == null || folder == null) {
      throw new IllFormedException("'" + file + "' does not name a file");
    }
    Texts.requireOneLine("file name", name.toString(), 1, MAX_NAME);
    return new GenerationFile(
        new Place(new DiskFolder(folder), new Names(name.toString())),
        key,
        trail,
        IssuedTokens.unseen());
  }

  /** The same file, refusing tokens that were never issued. */
  public GenerationFile issuedBy(IssuedTokens newIssued) {
    return new GenerationFile(place, key, trail, newIssued);
  }

  @Override
  public String target() {
    return names.file();
  }

  @Override
  public Guarantee guarantee() {
    return GUARANTEE;
  }

  @Override
  public Admission admit(Claim claim) {
    try {
      return told(claim, admitToWrite(claim));
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  @Override
  public Admission seal(Claim claim) {
    try {
      requireOwn(claim);
      Optional<Token> higher = higher(claim.token());
      return told(
          claim,
          higher.isPresent()
              ? new Admission.Stale(higher.get())
              : begin(claim.token(), issueOf(claim.token())));
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  private Admission admitToWrite(Claim claim) throws IOException {
    requireOwn(claim);
    Token token = claim.token();
    Optional<Token> higher = higher(token);
    if (higher.isPresent()) {
      return new Admission.Stale(higher.get());
    }
    if (folder.exists(names.sealed(token)) && folder.exists(names.generation(token))) {
      return Admission.ADMITTED;
    }
    if (folder.exists(names.voided(token))) {
      return new Admission.Stale(token);
    }
    return switch (issueOf(token)) {
      case IssuedTokens.Voided voided -> new Admission.Unissued(Optional.of(token));
      case IssuedTokens.Issue issue -> begin(token, issue);
    };
  }

  /**
   * Asks only about tokens that have no marker yet; the others were asked about when they began.
   */
  private IssuedTokens.Issue issueOf(Token token) throws IOException {
    if (folder.exists(names.sealed(token))) {
      return new IssuedTokens.Granted();
    }
    return folder.exists(names.voided(token))
        ? new IssuedTokens.Voided()
        : issued.issueOf(key, token);
  }

  /**
   * When this returns, no reader will see later writes of lower tokens. It can be repeated at any
   * time.
   */
  private Admission begin(Token token, IssuedTokens.Issue issue) throws IOException {
    if (marked().isEmpty()) {
      layGround(token);
    }
    switch (issue) {
      case IssuedTokens.Granted granted -> folder.create(names.sealed(token));
      case IssuedTokens.Voided voided -> folder.create(names.voided(token));
      case IssuedTokens.Never never -> {
        return new Admission.Unissued(never.highest());
      }
    }
    // The marker is made durable before the content is taken over, so that later writes of lower
    // tokens stay hidden after a crash.
    folder.sync();
    takeOver(token);
    folder.sync();
    Optional<Token> higher = higher(token);
    if (higher.isPresent()) {
      return new Admission.Stale(higher.get());
    }
    cleanUp(token);
    return Admission.ADMITTED;
  }

  /**
   * Creates the initial content before the first marker, and it is never deleted: a sealer always
   * finds content.
   */
  private void layGround(Token token) throws IOException {
    String nothing = names.temporary(token);
    boolean unused = written(nothing, NOTHING, () -> folder.link(nothing, names.ground()));
    folder.delete(nothing);
    folder.sync();
  }

  /**
   * Starts the token's generation from the highest one below it. The marker already exists, so a
   * lower writer whose content is not found here will see that it was overtaken.
   */
  private void takeOver(Token token) throws IOException {
    for (String lower : newestFirst(marked().headSet(token, false))) {
      if (folder.link(lower, names.generation(token))) {
        return;
      }
    }
    throw groundless();
  }

  /**
   * Deletes files that no reader needs any more; never one that this token or a higher one needs.
   */
  private void cleanUp(Token token) throws IOException {
    List<String> all = folder.names(names.prefix());
    NavigableSet<Token> newestFirst = names.marked(all).headSet(token, true).descendingSet();
    Optional<Token> oldestKept = newestFirst.stream().skip(GENERATIONS_KEPT - 1L).findFirst();
    if (oldestKept.isPresent()) {
      for (String old : names.below(all, oldestKept.get())) {
        folder.delete(old);
      }
    }
  }

  /** Replaces the content, if the token is admitted. */
  public Written write(Claim claim, byte[] content) throws IOException {
    if (Arrays.equals(content, NOTHING)) {
      throw new IllFormedException("this very content says that there is none");
    }
    Admission admission = admitToWrite(claim);
    if (admission instanceof Admission.Refused refused) {
      told(claim, refused);
      return new Written.NotMade(refused);
    }
    Token token = claim.token();
    String temporary = names.temporary(token);
    boolean inPlace =
        written(temporary, content, () -> folder.rename(temporary, names.generation(token)));
    folder.sync();
    Optional<Token> higher = higher(token);
    if (!inPlace) {
      // A successor has deleted this token's files.
      Admission.Refused refused =
          new Admission.Stale(
              higher.orElseThrow(() -> new IOException(temporary + " was taken away")));
      told(claim, refused);
      return new Written.NotMade(refused);
    }
    if (higher.isEmpty()) {
      return new Written.Made();
    }
    told(claim, new Admission.Stale(higher.get()));
    return new Written.Overtaken(higher.get());
  }

  /** The step that follows when a file is on disk. */
  private interface Step {
    boolean isDone() throws IOException;
  }

  /**
   * Deletes the temporary file after a failure; otherwise a full disk would keep what did not fit.
   */
  private boolean written(String temporary, byte[] content, Step then) throws IOException {
    try {
      folder.create(temporary, content);
      return then.isDone();
    } catch (IOException e) {
      try {
        folder.delete(temporary);
      } catch (IOException whileTidyingUp) {
        e.addSuppressed(whileTidyingUp);
      }
      throw e;
    }
  }

  /** What the highest token has written, or else found; empty if nothing was ever written. */
  public Optional<byte[]> read() throws IOException {
    while (true) {
      NavigableSet<Token> marked = marked();
      if (marked.isEmpty()) {
        return Optional.empty();
      }
      List<String> generations = newestFirst(marked);
      String found = firstOf(generations);
      Optional<byte[]> content = folder.read(found);
      // If a successor had taken over meanwhile, this could be a late write. A successor that has
      // deleted files has taken over before that, so it has a generation in this listing or a new
      // marker.
      boolean stillFirst = firstOf(generations).equals(found);
      if (content.isPresent() && stillFirst && higher(marked.last()).isEmpty()) {
        return content.filter(bytes -> !Arrays.equals(bytes, NOTHING));
      }
    }
  }

  /**
   * The generation to read. It is not always that of the highest marker: a sealer may have stopped
   * between its marker and taking the content over.
   */
  private String firstOf(List<String> generations) throws IOException {
    for (String generation : generations) {
      if (folder.exists(generation)) {
        return generation;
      }
    }
    throw groundless();
  }

  private IOException groundless() {
    return new IOException(names.ground() + " was taken away: restore the folder as a whole");
  }

  private List<String> newestFirst(NavigableSet<Token> marked) {
    return Stream.concat(
            marked.descendingSet().stream().map(names::generation), Stream.of(names.ground()))
        .toList();
  }

  private NavigableSet<Token> marked() throws IOException {
    return names.marked(folder.names(names.prefix()));
  }

  /** The highest token with a marker, if it is above this one. */
  private Optional<Token> higher(Token token) throws IOException {
    NavigableSet<Token> marked = marked();
    return marked.isEmpty() ? Optional.empty() : Optional.of(marked.last()).filter(token::isBelow);
  }

  private void requireOwn(Claim claim) {
    if (!claim.key().equals(key)) {
      throw new IllFormedException(
          "'" + target() + "' is written under " + key + ", not under " + claim.key());
    }
  }

  private Admission told(Claim claim, Admission answer) {
    if (answer instanceof Admission.Refused refused) {
      trail.add(target(), claim, refused);
    }
    return answer;
  }

  private FenceUnavailableException unavailable(IOException failure) {
    return new FenceUnavailableException(
        "the folder of '" + target() + "' gave no answer: " + failure.getMessage(), failure);
  }
}
