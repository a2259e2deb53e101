package dev.leasehold.cli;

import java.util.List;

/**
 * What to do, for whoever reads a sentence in a terminal: a server speaks to every client, and a
 * library to every program, of headers and of methods that nobody can type there.
 */
final class Advice {
  private static final List<Phrase> ALL =
      List.of(
          new Phrase("Authorization: Bearer KEY", "set LEASEHOLD_API_KEY to it"),
          // None was printed; where one matters, the command says which.
          new Phrase(": ask again under the same request id", ""),
          new Phrase(
              "the server's log says why",
              "the server's log says why, and leasehold doctor what to do about the store"),
          new Phrase(
              "is the port taken?",
              "is the port taken? Name another one by --listen HOST:PORT, or stop what is there"),
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
