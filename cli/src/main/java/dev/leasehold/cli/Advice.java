package dev.leasehold.cli;

import java.util.List;

/**
 * Rewrites messages for a user at a terminal. A server's message is for all its clients, and a
 * library's for all programs: they name headers and methods, which a user cannot type.
 */
final class Advice {
  private static final List<Phrase> ALL =
      List.of(
          new Phrase("Authorization: Bearer KEY", "set LEASEHOLD_API_KEY to it"),
          // The command printed no request id; where one matters, it names it itself.
          new Phrase(": ask again under the same request id", ""),
          new Phrase(
              "the server's log says why",
              "the server's log says why, and leasehold doctor what to do about the store"),
          new Phrase(
              "is the port taken?",
              "is the port taken? Name another one by --listen HOST:PORT, or stop the program that"
                  + " uses it"),
          new Phrase(
              "one process at a time can serve a SQLite file",
              "one process at a time can serve a SQLite file. Ask that one (--server URL), stop it,"
                  + " or serve another file (--store sqlite:PATH)"));

  private record Phrase(String said, String meant) {}

  private Advice() {}

  static String in(String sentence) {
    String told = sentence;
    for (Phrase phrase : ALL) {
      told = told.replace(phrase.said(), phrase.meant());
    }
    return told;
  }
}
