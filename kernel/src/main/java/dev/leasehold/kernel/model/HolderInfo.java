package dev.leasehold.kernel.model;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Texts;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a grant says about its holder, for people and for audit. No decision depends on it.
 *
 * @param holder the holder's name, 1 to 255 characters
 * @param purpose the part of the application that acquired it ({@code recovery}, {@code outbox},
 *     ...), up to 64 characters
 * @param region where the holder runs, up to 64 characters
 * @param attributes up to 16 small notes, names in visible ASCII up to 64, values up to 256
 */
public record HolderInfo(
    String holder, String purpose, String region, Map<String, String> attributes) {
  public static final int MAX_HOLDER = 255;
  public static final int MAX_WORD = 64;
  public static final int MAX_ATTRIBUTES = 16;
  public static final int MAX_ATTRIBUTE_VALUE = 256;

  public HolderInfo {
    Texts.requireOneLine("holder", holder, 1, MAX_HOLDER);
    if (holder.isBlank()) {
      throw new IllFormedException("holder is blank: people must be able to see who it is");
    }
    Texts.requireOneLine("purpose", purpose, 0, MAX_WORD);
    Texts.requireOneLine("region", region, 0, MAX_WORD);
    if (attributes.size() > MAX_ATTRIBUTES) {
      throw new IllFormedException(
          attributes.size() + " attributes: a lease has at most " + MAX_ATTRIBUTES);
    }
    attributes.forEach(
        (name, value) -> {
          Texts.requireVisibleAscii("attribute name", name, MAX_WORD);
          Texts.requireOneLine("attribute " + name, value, 0, MAX_ATTRIBUTE_VALUE);
        });
    attributes = Map.copyOf(attributes);
  }

  public static HolderInfo named(String holder) {
    return new HolderInfo(holder, "", "", Map.of());
  }

  public HolderInfo withPurpose(String newPurpose) {
    return new HolderInfo(holder, newPurpose, region, attributes);
  }

  public HolderInfo withRegion(String newRegion) {
    return new HolderInfo(holder, purpose, newRegion, attributes);
  }

  public HolderInfo withAttribute(String name, String value) {
    Map<String, String> more = new TreeMap<>(attributes);
    more.put(name, value);
    return new HolderInfo(holder, purpose, region, more);
  }
}
