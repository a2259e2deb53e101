package dev.leasehold.testkit.history;

/** What must always be true of a history; the numbers are the protocol's. */
public enum Invariant {
  I1("at any store time, a key has at most one unexpired grant"),
  I2("tokens of a key strictly increase from grant to grant"),
  I3("a grant that has ended never becomes valid again"),
  I4("once a target has admitted or been sealed with a token, no lower one takes effect there"),
  I5("at effect, a change is applied only if its grant is current at the moment of commit"),
  I6("a holder stops believing before the store does"),
  I7("what was acknowledged survives"),
  I8("a repeated command gives the same outcome and token and never acts twice");

  private final String sentence;

  Invariant(String sentence) {
    this.sentence = sentence;
  }

  public String sentence() {
    return sentence;
  }
}
