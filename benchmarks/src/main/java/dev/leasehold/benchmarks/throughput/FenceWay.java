package dev.leasehold.benchmarks.throughput;

/** How one row is updated. */
enum FenceWay {
  AUTO_COMMIT("bare, auto-commit", FencedRows::bareAutoCommit),
  FRAGMENT("at effect: fragment in the update, auto-commit", FencedRows::fragment),
  TRANSACTION("bare, in a transaction", FencedRows::bareInTransaction),
  CHANGE("at effect: change", FencedRows::change),
  CHECK("at effect: check in one's own transaction", FencedRows::check),
  MARK("high-water mark in another database: change", FencedRows::mark),
  GUARDED("guarded table, bring in one's own transaction", FencedRows::guardedByBring),
  GUARDED_CHANGE("guarded table, through change at effect", FencedRows::guardedByChange);

  /** One update of one row. */
  interface Update {
    void run(FencedRows rows, int row) throws Exception;
  }

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // a method without state, but its type cannot say so
  private final Update update;

  FenceWay(String text, Update update) {
    this.text = text;
    this.update = update;
  }

  String text() {
    return text;
  }

  void update(FencedRows rows, int row) throws Exception {
    update.run(rows, row);
  }

  /** The bare update of the same shape: one that commits by itself, or one in a transaction. */
  FenceWay bare() {
    return this == AUTO_COMMIT || this == FRAGMENT ? AUTO_COMMIT : TRANSACTION;
  }
}
