package dev.leasehold.cli.demo;

import java.util.List;

/**
 * A line in the log of the account.
 *
 * @param token under which it was written
 * @param amount what was taken out
 * @param balance what the writer believes to be left
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

  static Entry parse(String line) {
    String[] words = line.split(" ", -1);
    return new Entry(
        Long.parseLong(words[0]), words[1], Long.parseLong(words[2]), Long.parseLong(words[3]));
  }

  /** What {@link #parse} reads. */
  @Override
  public String toString() {
    return token + " " + holder + " " + amount + " " + balance;
  }
}
