package dev.leasehold.verification.linearizability;

/** The sequential specification of a fence. */
public final class SequentialFence {
  private final int[] marks = new int[2];
  private final int[] slots = new int[2];

  public String admit(int key, int token) {
    if (token < marks[key]) {
      return "stale below " + marks[key];
    }
    marks[key] = token;
    return "admitted";
  }

  public String seal(int key, int token) {
    return admit(key, token);
  }

  public String change(int key, int token) {
    String answer = admit(key, token);
    if (!answer.equals("admitted")) {
      return answer;
    }
    int found = slots[key];
    slots[key] = token;
    return "found " + found;
  }
}
