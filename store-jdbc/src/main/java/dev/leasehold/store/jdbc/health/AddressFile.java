package dev.leasehold.store.jdbc.health;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Records in the witness folder which store was served at an address. A database that was emptied
 * or replaced has another store id, under which the witness has no file.
 */
public final class AddressFile {
  private static final String FIRST_LINE = "leasehold address 1";
  private static final int NAME_DIGITS = 32;
  private static final int LINES = 4;

  private final String address;
  private final SharedFile file;

  public AddressFile(Path folder, String address) {
    this.address = address;
    this.file = new SharedFile(folder.resolve("witness").resolve("at-" + nameOf(address)));
  }

  /** Hashed, since an address can be long and contain any character. */
  private static String nameOf(String address) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(address.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, NAME_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** What was served here last; empty if no store was seen here. */
  public Optional<Served> read() {
    return file.read(List.of(FIRST_LINE), AddressFile::parse);
  }

  private static Served parse(String firstLine, List<String> lines) {
    if (lines.size() != LINES) {
      throw new IllegalArgumentException("it has " + lines.size() + " lines between the others");
    }
    return new Served(
        SharedFile.value(lines.get(1), "store"),
        Integer.parseInt(SharedFile.value(lines.get(2), "incarnation")),
        Long.parseLong(SharedFile.value(lines.get(3), "ttl")));
  }

  /**
   * Records that this store is served here, unless another one was that it does not outrank.
   *
   * @param foundedAbove the highest incarnation that it was founded or advanced above
   * @return what was served here last
   */
  Served add(Served now, int foundedAbove) {
    return file.change(
        new SharedFile.Content<>() {
          @Override
          public Optional<Served> read() {
            return AddressFile.this.read();
          }

          @Override
          public String text(Served kept) {
            return AddressFile.this.text(kept);
          }
        },
        before ->
            before.isPresent() && contradicts(before.get(), now.storeId(), foundedAbove)
                ? before.get()
                : before.map(known -> known.and(now)).orElse(now));
  }

  /** Why a store must not be used where another was served before, and what to do. */
  Optional<String> contradiction(Served last, Served now, int foundedAbove) {
    if (!contradicts(last, now.storeId(), foundedAbove)) {
      return Optional.empty();
    }
    return Optional.of(
        "the database was emptied or replaced: "
            + address
            + " has served store "
            + last.storeId()
            + " up to incarnation "
            + last.incarnation()
            + ", and holds store "
            + now.storeId()
            + " now. Restore the database of that store, or run leasehold incarnation advance on"
            + " this one before it is used, with the same --data");
  }

  private static boolean contradicts(Served served, String storeId, int foundedAbove) {
    return !served.storeId().equals(storeId) && foundedAbove < served.incarnation();
  }

  private String text(Served kept) {
    return FIRST_LINE
        + "\naddress "
        + address
        + "\nstore "
        + kept.storeId()
        + "\nincarnation "
        + kept.incarnation()
        + "\nttl "
        + kept.longestTtlMillis();
  }
}
