package dev.leasehold.remote.wire;

import dev.leasehold.fence.IllFormedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object that was read. Each is read by name and type; a message about a fault
 * names the path to it. A strict reader ends with {@link #nothingElse()}.
 */
public final class Members {
  private final String path;
  private final Map<String, Object> values;
  private final Set<String> asked = new HashSet<>();

  Members(String path, Map<String, Object> values) {
    this.path = path;
    this.values = values;
  }

  /** Converts a text that may be ill-formed. */
  public <T> T parsed(String name, Function<String, T> parse) {
    return within(name, () -> parse.apply(text(name)));
  }

  public <T> Optional<T> parsedIfAny(String name, Function<String, T> parse) {
    return has(name) ? Optional.of(parsed(name, parse)) : Optional.empty();
  }

  /** Converts a number that may be out of bounds. */
  public <T> T counted(String name, Function<Long, T> make) {
    return within(name, () -> make.apply(number(name)));
  }

  public <T> Optional<T> countedIfAny(String name, Function<Long, T> make) {
    return has(name) ? Optional.of(counted(name, make)) : Optional.empty();
  }

  public String text(String name) {
    return textIfAny(name).orElseThrow(() -> missing(name));
  }

  public Optional<String> textIfAny(String name) {
    return get(name, String.class, "a string");
  }

  public long number(String name) {
    return numberIfAny(name).orElseThrow(() -> missing(name));
  }

  /** A number of 32 bits. */
  public int integer(String name) {
    long number = number(name);
    if (number != (int) number) {
      throw new BadJsonException(pathTo(name) + ": the number is beyond 32 bits");
    }
    return (int) number;
  }

  public OptionalLong numberIfAny(String name) {
    return get(name, Long.class, "an integer").map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  public boolean flag(String name, boolean otherwise) {
    return get(name, Boolean.class, "true or false").orElse(otherwise);
  }

  public Members object(String name) {
    return objectIfAny(name).orElseThrow(() -> missing(name));
  }

  public Optional<Members> objectIfAny(String name) {
    return get(name, Map.class, "an object").map(value -> new Members(pathTo(name), cast(value)));
  }

  /** An object whose members all have texts as values. */
  public Map<String, String> texts(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    objectIfAny(name)
        .ifPresent(inner -> inner.values.keySet().forEach(n -> texts.put(n, inner.text(n))));
    return texts;
  }

  public List<Members> list(String name, int max) {
    List<Object> items = items(name, max);
    List<Members> objects = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      String at = pathTo(name) + "[" + i + "]";
      if (!(items.get(i) instanceof Map<?, ?> item)) {
        throw new BadJsonException(at + ": must be an object");
      }
      objects.add(new Members(at, cast(item)));
    }
    return objects;
  }

  /** The same, each converted. */
  public <T> List<T> list(String name, int max, Function<Members, T> read) {
    return list(name, max).stream().map(read).toList();
  }

  /** The objects of a list, or none if there is no such member. */
  public List<Members> listIfAny(String name, int max) {
    return values.containsKey(name) ? list(name, max) : List.of();
  }

  public List<String> words(String name, int max) {
    List<String> words = new ArrayList<>();
    for (Object item : items(name, max)) {
      if (!(item instanceof String word)) {
        throw new BadJsonException(pathTo(name) + ": must be strings");
      }
      words.add(word);
    }
    return words;
  }

  private List<Object> items(String name, int max) {
    List<?> found = get(name, List.class, "an array").orElseThrow(() -> missing(name));
    if (found.size() > max) {
      throw new BadJsonException(
          pathTo(name) + ": has " + found.size() + " items: at most " + max + " are allowed");
    }
    return List.copyOf(found);
  }

  /** The names of all members, in the order of the text. */
  public Set<String> names() {
    return java.util.Collections.unmodifiableSet(values.keySet());
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /**
   * Refuses members that were not read, because ignoring them would ignore what the sender meant.
   */
  public void nothingElse() {
    for (String name : values.keySet()) {
      if (!asked.contains(name)) {
        throw new BadJsonException(pathTo(shortened(name)) + ": no such member is known here");
      }
    }
  }

  /** Adds the value's name to the message of an exception. */
  public <T> T within(String name, Making<T> making) {
    try {
      return making.make();
    } catch (IllFormedException e) {
      throw new BadJsonException(pathTo(name) + ": " + e.getMessage());
    }
  }

  /** Adds the object's path to the message of an exception about several of its values. */
  public <T> T together(Making<T> making) {
    try {
      return making.make();
    } catch (IllFormedException e) {
      throw new BadJsonException((path.isEmpty() ? "" : path + ": ") + e.getMessage());
    }
  }

  /** Converts values that may be ill-formed. */
  @FunctionalInterface
  public interface Making<T> {
    T make();
  }

  /** A refusal of a value, for a reason that the caller gives. */
  public BadJsonException refusal(String name, String why) {
    return new BadJsonException(pathTo(name) + ": " + why);
  }

  private <T> Optional<T> get(String name, Class<T> type, String what) {
    asked.add(name);
    @Nullable Object value = values.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!type.isInstance(value)) {
      throw new BadJsonException(pathTo(name) + ": must be " + what);
    }
    return Optional.of(type.cast(value));
  }

  private BadJsonException missing(String name) {
    return new BadJsonException(pathTo(name) + ": is missing");
  }

  private String pathTo(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static final int SHOWN = 40;

  /** A name from outside can be of any length, and becomes part of an answer. */
  private static String shortened(String name) {
    String clean = name.replaceAll("[^ -~]", "?");
    return clean.length() <= SHOWN ? clean : clean.substring(0, SHOWN) + "...";
  }

  @SuppressWarnings("unchecked") // the reader makes no other maps
  private static Map<String, Object> cast(Map<?, ?> value) {
    return (Map<String, Object>) value;
  }
}
