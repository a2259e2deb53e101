package dev.leasehold.server.http;

/** The status codes that are in use. */
final class Status {
  static final int OK = 200;
  static final int CREATED = 201;
  static final int NOT_MODIFIED = 304;
  static final int BAD_REQUEST = 400;
  static final int UNAUTHORIZED = 401;
  static final int FORBIDDEN = 403;
  static final int NOT_FOUND = 404;
  static final int WRONG_METHOD = 405;
  static final int TIMEOUT = 408;
  static final int CONFLICT = 409;
  static final int WRONG_VERSION = 412;
  static final int TOO_LARGE = 413;
  static final int WRONG_TYPE = 415;
  static final int TOO_MANY = 429;
  static final int BROKEN = 500;
  static final int UNAVAILABLE = 503;

  private Status() {}
}
