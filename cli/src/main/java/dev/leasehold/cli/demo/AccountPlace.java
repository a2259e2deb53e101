package dev.leasehold.cli.demo;

import java.util.Locale;

/**
 * Where an account is kept, and whether a fence protects it.
 *
 * @param kind tells {@link Accounts} what to open there
 * @param address the URL of a database, or another kind of address
 */
public record AccountPlace(String kind, boolean fenced, String address) {
  public static AccountPlace fenced(String kind, String address) {
    return new AccountPlace(kind, true, address);
  }

  /** The same place without a fence, to show what the fence is for. */
  public AccountPlace withoutFence() {
    return new AccountPlace(kind, false, address);
  }

  /** The text that {@link #parse} reads. */
  String text() {
    return kind + " " + fenced + " " + address;
  }

  static AccountPlace parse(String text) {
    String[] words = text.split(" ", 3);
    return new AccountPlace(words[0], Boolean.parseBoolean(words[1]), words[2]);
  }

  /** For people. */
  @Override
  public String toString() {
    String name = kind.toLowerCase(Locale.ROOT).replace('_', ' ');
    return fenced ? name : name + ", without its fence";
  }

  /** The table of the account, if it is in a database. */
  public String table() {
    return "demo_" + kind.toLowerCase(Locale.ROOT) + (fenced ? "" : "_unfenced");
  }
}
