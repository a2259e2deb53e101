package dev.leasehold.remote.api;

/**
 * A parameter of a request in its path, query or headers.
 *
 * @param example empty if the operation's example leaves it out
 */
public record Parameter(In in, Member member, String example) {
  /** The part of the request that contains it. */
  public enum In {
    PATH,
    QUERY,
    HEADER
  }

  static Parameter path(String name, String example) {
    return new Parameter(In.PATH, Member.text(name), example);
  }

  static Parameter query(String name, String about) {
    return new Parameter(In.QUERY, Member.text(name).about(about).optional(), "");
  }

  static Parameter header(String name, String about) {
    return new Parameter(In.HEADER, Member.text(name).about(about).optional(), "");
  }

  Parameter about(String about) {
    return new Parameter(in, member.about(about), example);
  }

  Parameter required() {
    return new Parameter(in, new Member(name(), member.schema(), member.about(), true), example);
  }

  Parameter example(String newExample) {
    return new Parameter(in, member, newExample);
  }

  public String name() {
    return member.name();
  }
}
