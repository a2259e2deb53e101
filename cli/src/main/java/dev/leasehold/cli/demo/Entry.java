package dev.leasehold.cli.demo;

import java.util.List;

/**
 * An entry in the log of the account.
 *
 * @param token the token that it was written under
 * @param amount the amount withdrawn
 * @param balance the balance that the writer calculated
 */
public record Entry(long token, String holder, long amount, long balance) {
  static final long OPENING_BALANCE = 100;

  static long balanceOf(List<Entry> log) {
    return log.isEmpty() ? OPENING_BALANCE : log.getLast().balance;
  }

  /** Whether its writer knew of the entry before it. */
  boolean continues(Entry before) {
    return balance == before.balance - amount;
  }

  public static Entry parse(String line) {
    String[] words = line.split(" ", -1);
    return new Entry(
        Long.parseLong(words[0]), words[1], Long.parseLong(words[2]), Long.parseLong(words[3]));
  }

  /** The text that {@link #parse} reads. */
  @Override
  public String toString() {
    return token + " " + holder + " " + amount + " " + balance;
  }
}
