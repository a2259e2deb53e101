package dev.leasehold.fence.files;

import dev.leasehold.fence.Token;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;

/** The names of a file's generations and markers. */
record Names(String file) {
  private static final int DIGITS = 16;
  private static final String SEALED = ".sealed";
  private static final String VOID = ".void";

  String prefix() {
    return file + ".";
  }

  String generation(Token token) {
    return prefix() + String.format(Locale.ROOT, "%0" + DIGITS + "d", token.value());
  }

  /** The name of the initial content, which sorts below every token's. */
  String ground() {
    return prefix() + "0".repeat(DIGITS);
  }

  String sealed(Token token) {
    return generation(token) + SEALED;
  }

  String voided(Token token) {
    return generation(token) + VOID;
  }

  /** A unique name: two writers with one token must not write into one file. */
  String temporary(Token token) {
    return generation(token) + "." + UUID.randomUUID() + ".tmp";
  }

  /** The token in a name, if the name belongs to this file. */
  private Optional<Token> token(String name) {
    int end = prefix().length() + DIGITS;
    if (name.length() < end || (name.length() > end && name.charAt(end) != '.')) {
      return Optional.empty();
    }
    String digits = name.substring(prefix().length(), end);
    return digits.chars().allMatch(c -> c >= '0' && c <= '9') && Long.parseLong(digits) > 0
        ? Optional.of(new Token(Long.parseLong(digits)))
        : Optional.empty();
  }

  /** The tokens that have a marker. */
  NavigableSet<Token> marked(List<String> names) {
    NavigableSet<Token> tokens = new TreeSet<>();
    for (String name : names) {
      if (name.endsWith(SEALED) || name.endsWith(VOID)) {
        token(name).ifPresent(tokens::add);
      }
    }
    return tokens;
  }

  /** The names of tokens below the bound. */
  List<String> below(List<String> names, Token bound) {
    return names.stream()
        .filter(name -> token(name).filter(token -> token.isBelow(bound)).isPresent())
        .toList();
  }
}
