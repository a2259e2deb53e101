package dev.leasehold.store.jdbc;

import java.util.List;

/** A defect planted into a copy of the store, and the tests that must find it. */
enum StoreMutant {
  // Locks.
  PURGE_LOCKS_THE_FLOOR_AS_AN_UPDATE_DOES(
      Edit.shared("lock-floor-to-raise", "FOR UPDATE", "FOR NO KEY UPDATE"), By.PURGING),
  PURGE_LOCKS_THE_FLOOR_AS_AN_ACQUIRE_DOES(
      Edit.shared("lock-floor-to-raise", "FOR UPDATE", "FOR KEY SHARE"), By.PURGING),
  PURGE_LOCKS_NO_FLOOR(Edit.shared("lock-floor-to-raise", "FOR UPDATE", ""), By.PURGING),
  PURGE_TAKES_THE_FLOOR_OF_OTHERS(
      Edit.java(
          "leases/Ruling", "toRaise ? \"lock-floor-to-raise\" : \"lock-floor\"", "\"lock-floor\""),
      By.PURGING),
  TIDYING_LOCKS_FLOORS_AS_AN_UPDATE_DOES(
      Edit.postgresql("lock-free-floors-of", "FOR UPDATE", "FOR NO KEY UPDATE"), By.TIDYING),
  TIDYING_LOCKS_NO_FLOORS(
      Edit.postgresql("lock-free-floors-of", "   FOR UPDATE SKIP LOCKED\n", ""), By.TIDYING),
  TIDYING_TAKES_BUCKETS_WHOSE_FLOOR_IS_LOCKED(
      Edit.postgresql(
          "lock-dead-leases",
          "l.bucket = ANY (?::integer[])",
          "(true OR l.bucket = ANY (?::integer[]))"),
      By.TIDYING),
  TIDYING_LOCKS_NO_RECORDS(
      Edit.postgresql("lock-dead-leases", "     FOR UPDATE OF l SKIP LOCKED\n", ""),
      "acquire+tidy@dead"),
  TIDYING_RAISES_NO_FLOORS(
      Edit.java(
          "housekeeping/DeadRows",
          "    connection.update(floors.raise(), connection.columns(found.numbers()));\n",
          ""),
      "untriggered:acquire+tidy@dead"),
  TIDYING_LOWERS_FLOORS(
      Edit.postgresql("raise-floors-of", "f.<number> < g.<number>", "f.<number> <> g.<number>"),
      By.THE_RULE),
  TIDYING_RAISES_TO_THE_LOWEST(
      Edit.postgresql("raise-floors-of", "max(a.<number>)", "min(a.<number>)"), By.THE_RULE_ALONE),
  A_LONE_COMMAND_LOCKS_NO_FLOOR(
      Edit.shared("lock-floor", "FOR KEY SHARE", ""), "close+come-and-go@absent"),
  A_BATCH_LOCKS_NO_FLOORS(
      Edit.postgresql("lock-floors", "     FOR KEY SHARE SKIP LOCKED\n", ""),
      "close-two+come-and-go@absent"),
  ACQUIRE_NEW_LOCKS_NO_FLOOR(
      Edit.postgresql("acquire-new", "     FOR KEY SHARE SKIP LOCKED\n", ""),
      "acquire-two+come-and-go+insert-second-undone@absent"),
  A_LONE_COMMAND_LOCKS_NO_ROW(Edit.shared("lock-lease", "FOR UPDATE", ""), "revoke+revoke@held"),
  A_LONE_COMMAND_LETS_CHECKS_BY(
      Edit.shared("lock-lease", "FOR UPDATE", "FOR NO KEY UPDATE"), "revoke+check@held"),
  A_LONE_COMMAND_LOCKS_AS_A_RENEWAL_DOES(
      Edit.java(
          "leases/Ruling",
          "command instanceof Command.Renew ? \"lock-renewal\" : \"lock-lease\"",
          "\"lock-renewal\""),
      "revoke+check@held"),
  A_BATCH_LOCKS_NO_ROWS(
      Edit.postgresql("lock-leases", "FOR UPDATE OF l SKIP LOCKED", ""), "close-two+revoke@held"),
  A_BATCH_LETS_CHECKS_BY(
      Edit.postgresql("lock-leases", "FOR UPDATE OF l", "FOR NO KEY UPDATE OF l"),
      "close-two+check@held"),
  AN_UNUSUAL_RENEWAL_LOCKS_NO_ROW(
      Edit.postgresql("lock-renewals", "FOR NO KEY UPDATE OF l SKIP LOCKED", ""),
      "acquire+renew@expired"),
  RELEASE_LETS_CHECKS_BY(
      Edit.postgresql("release", "FOR UPDATE OF l", "FOR NO KEY UPDATE OF l"),
      "release+check@held"),
  TAKEOVER_LETS_CHECKS_BY(
      Edit.postgresql("acquire", "FOR UPDATE OF l", "FOR NO KEY UPDATE OF l"),
      "acquire+check@expired"),
  CHECK_LOCKS_NOTHING(
      Edit.postgresql("check-in-transaction", "FOR KEY SHARE OF l", ""), "release+check@held"),
  SECOND_LOOK_OF_A_CHANGE_LOCKS_NOTHING(
      Edit.postgresql("locked-for-effect", " @{effect-lock}", ""), "change+come-and-go@absent"),
  FRAGMENT_LOCKS_NOTHING(
      Edit.postgresql("current-fragment", "FOR KEY SHARE OF l", ""), "release+fragment@held"),
  CHANGE_LOCKS_NOTHING(
      Edit.postgresql("begin-effect", " @{effect-lock} OF l", ""), "release+change@held"),
  CHECK_HOLDS_BACK_RENEWALS(
      Edit.postgresql("check-in-transaction", "FOR KEY SHARE OF l", "FOR SHARE OF l"),
      "renew+check@held"),
  FRAGMENT_HOLDS_BACK_RENEWALS(
      Edit.postgresql("current-fragment", "FOR KEY SHARE OF l", "FOR SHARE OF l"),
      "renew+fragment@held"),
  CHANGE_HOLDS_BACK_RENEWALS(
      Edit.postgresql("effect-lock", "FOR KEY SHARE", "FOR SHARE"),
      "PostgresAtEffectTest#an_ending_command_waits_for_the_commit_and_renewals_go_on"),
  CHECK_FORGETS_THE_ERA(
      Edit.postgresql("incarnation-lock-anywhere", "ELSE leasehold_lock_era() END", "ELSE 0 END"),
      "serializable:late-check+advance@held"),
  ADVANCE_EXCLUDES_NO_WRITER(
      Edit.postgresql("lock-out-writers", "EXCLUSIVE MODE", "ACCESS SHARE MODE"),
      "acquire+advance@absent"),
  ADVANCE_FORGETS_TO_LOCK_OUT(
      Edit.java("JdbcLeaseStore", "    engine.lockOutWriters(connection);\n", ""),
      "acquire+advance@absent"),
  A_BATCH_DOES_NOT_JOIN_THE_WRITERS(
      Edit.postgresql("join-writers", "ROW EXCLUSIVE MODE", "ACCESS SHARE MODE"),
      "close-two+advance@absent"),
  TRANSACTIONS_HAVE_NO_BOUND(
      Edit.java(
          "connections/StoreConnection",
          "          connection.update(\"bound-transaction\");\n",
          ""),
      "BoundedTransactionTest"
          + "#the_server_ends_a_transaction_whose_client_has_stalled_or_that_waits_for_a_lock"),
  BRIEF_TRANSACTIONS_HAVE_NO_BOUND(
      Edit.java(
          "connections/StoreConnection", "          connection.update(\"bound-moment\");\n", ""),
      "LockedRowTest#a_locked_row_is_not_purged_and_others_are_not_kept_by_it"),

  // Conditions of a check.
  CHECK_FORGETS_THE_END(
      Edit.postgresql("acts-anywhere", "AND l.standing OPERATOR(pg_catalog.<) 2\n", ""),
      "release+check@held"),
  CHECK_FORGETS_THE_INCARNATION(
      Edit.postgresql(
          "acts-anywhere",
          "AND (l.last_token OPERATOR(pg_catalog.>>) 40) OPERATOR(pg_catalog.>=) s.incarnation\n",
          ""),
      "check+advance@held"),
  CHANGE_FORGETS_THE_END(
      Edit.postgresql("acts-anywhere", "AND l.standing OPERATOR(pg_catalog.<) 2", ""),
      "release+change@held"),
  CHANGE_FORGETS_THE_INCARNATION(
      Edit.postgresql(
          "acts-anywhere",
          "AND (l.last_token OPERATOR(pg_catalog.>>) 40) OPERATOR(pg_catalog.>=) s.incarnation",
          ""),
      "change+advance@held"),
  CHECK_FORGETS_THE_INSTANCE(
      Edit.postgresql(
          "acts-anywhere",
          "AND COALESCE(t.instance_id, l.instance_id) OPERATOR(pg_catalog.=) l.instance_id",
          ""),
      "PostgresAtEffectTest#the_token_of_another_instance_is_refused_and_suspected"),

  // Conditions of the usual statements.
  ACQUIRE_FORGETS_WHO_IS_BARRED(
      Edit.postgresql("acquire", "             OR t.barred_id IS NOT NULL\n", ""), "differential"),
  ACQUIRE_FORGETS_THE_HOLD_OFF(
      Edit.postgresql("acquire", "s.held_off_until > t.clock_ms", "false"), "differential"),
  ACQUIRE_FORGETS_ITS_OWN_REQUEST(
      Edit.postgresql("acquire", "             OR t.request_id = t.new_request_id\n", ""),
      "differential"),
  ACQUIRE_FORGETS_PAST_REQUESTS(
      Edit.postgresql("acquire", "p.request_id = t.new_request_id", "false"), "contract:Retry"),
  ACQUIRE_FORGETS_THE_CLOSURE(
      Edit.postgresql("acquire", "OR t.closed_reason IS NOT NULL", "OR false"), "differential"),
  ACQUIRE_FORGETS_THE_INCARNATION(
      Edit.postgresql(
          "acquire",
          "(greatest(t.last_token >> 40, s.incarnation) << 40)",
          "((t.last_token >> 40) << 40)"),
      "differential"),
  ACQUIRE_TAKES_A_MILLISECOND_LATE(
      Edit.postgresql(
          "acquire",
          "greatest(t.clock_ms, t.written_at) < t.expires_at",
          "greatest(t.clock_ms, t.written_at) <= t.expires_at"),
      "differential"),
  ACQUIRE_GOES_BY_THE_CLOCK_ALONE(
      Edit.postgresql("acquire", "greatest(@{now}, k.seen_ms) AS now_ms", "@{now} AS now_ms"),
      "differential"),
  ACQUIRE_NEW_FORGETS_THE_INCARNATION(
      Edit.postgresql("acquire-new", "greatest(t.token >> 40, s.incarnation)", "(t.token >> 40)"),
      "differential"),
  ACQUIRE_NEW_FORGETS_THE_HOLD_OFF(
      Edit.postgresql("acquire-new", "s.held_off_until <= @{now}", "true"), "contract:Incarnation"),
  RENEW_FORGETS_THE_EXPIRY(
      Edit.postgresql("renew", "d.now_ms < d.expires_at", "true"), "differential"),
  RENEW_FORGETS_WHOSE_IT_IS(
      Edit.postgresql("renew", " AND l.instance_id = a.instance_id", ""), "differential"),
  RENEW_CUTS_SHORT(
      Edit.postgresql(
          "renew", "greatest(d.expires_at, d.now_ms + d.new_ttl_ms)", "d.now_ms + d.new_ttl_ms"),
      "differential"),
  RENEW_FORGETS_THE_INCARNATION(
      Edit.postgresql("renew", "d.grant_token >> 40 >= s.incarnation", "true"),
      "contract:Incarnation"),
  RENEW_FORGETS_THE_STALL(Edit.postgresql("renew", "d.stall_ms = 0 OR", "true OR"), "differential"),
  RENEW_FORGETS_THE_TOKEN(
      Edit.postgresql("renew", "l.grant_token = a.token AND ", ""), "differential"),
  RELEASE_FORGETS_WHOSE_IT_IS(
      Edit.postgresql("release", " AND l.instance_id = a.instance_id", ""), "differential"),
  RELEASE_FORGETS_THE_END(Edit.postgresql("release", " AND l.standing < 2", ""), "differential"),
  RELEASE_FORGETS_THE_INCARNATION(
      Edit.postgresql("release", " AND d.grant_token >> 40 >= s.incarnation", ""), "differential"),
  REQUEST_OF_AN_HEIR_IS_TAKEN_FOR_HIS_ACQUIRE(
      Edit.shared("recall-request", " AND NOT p.inherited", ""),
      "RememberedRequestsTest"
          + "#an_heir_that_acquires_under_the_givers_request_id_is_decided_afresh"),
  TIDYING_TAKES_THE_YOUNG(
      Edit.shared("dead-lease", "l.written_at <= d.before", "true"), By.THE_RULE),
  TIDYING_TAKES_THE_CLOSED(
      Edit.shared("dead-lease", "l.closed_reason IS NULL OR", "true OR"), By.THE_RULE),
  TIDYING_FORGETS_WHO_IS_BARRED(
      Edit.shared("dead-lease", "l.barred_id IS NULL OR", "true OR"), By.THE_RULE),
  TIDYING_TAKES_THE_UNEXPIRED(
      Edit.shared("dead-lease", "l.grant_token IS NULL OR", "true OR"), By.THE_RULE),
  TIDYING_TAKES_WHAT_AN_ADVANCE_ENDED(
      Edit.shared("dead-lease", " AND l.end_reason <> 'INCARNATION_ADVANCED'", ""), By.THE_RULE),
  TIDYING_TAKES_A_COUNTER_THAT_IS_USED_UP(
      Edit.shared("dead-lease", "l.last_token & 1099511627775 < 1099511627775", "true"),
      By.THE_RULE),

  // Order and answers.
  AN_INSERT_THAT_FAILED_IS_TAKEN_FOR_DONE(
      Edit.java(
          "leases/Ruling",
          "if (statement.executeUpdate() != 1) {",
          "if (statement.executeUpdate() > 1) {"),
      "acquire+close@absent",
      "close+close@absent"),
  A_LONE_COMMAND_DOES_NOT_LOOK_AGAIN(
      Edit.java("leases/Ruling", "lockRow(command).orElse(blank)", "blank"), "differential"),
  EXPECTATION_IS_DROPPED(
      Edit.java("leases/ServerBatch", "        && acquire.expected().isEmpty()\n", ""),
      "differential"),
  MEMORY_NEVER_ENDS(
      Edit.java("leases/StoredMemory", "e.atMillis() >= oldestMillis", "e != null"),
      "RememberedRequestsTest#a_request_is_forgotten_when_its_time_is_over"),
  MEMORY_FORGETS_WHO_ASKED(
      Edit.java(
          "leases/StoredMemory",
          "        .filter(grant -> request.caller().equals(new"
              + " Caller.Holder(grant.instanceId())))\n",
          ""),
      "differential"),
  A_CUT_OFF_ACQUIRE_IS_TOLD_THAT_IT_FAILED(
      Edit.java(
          "batches/TableBatch",
          "!attempts.wasCutOff() || table.isFinal",
          "!batch.isEmpty() || table.isFinal"),
      "BrokenConnectionTest#an_acquire_that_was_cut_off_is_unknown_while_another_holds_the_key"),
  A_CHECK_NEEDS_NO_TRANSACTION(
      Edit.java(
          "effects/UserTransaction",
          "if (connection.getAutoCommit()) {",
          "if (connection == null) {"),
      "PostgresAtEffectTest#a_check_without_a_transaction_is_refused"),
  // The witness.
  A_REFUSAL_IS_FORGOTTEN(
      Edit.java(
          "health/RollbackDetector",
          "boolean ended = !isLostAt(facts.incarnation());",
          "boolean ended = true;"),
      "PostgresRolledBackTest#an_open_store_goes_on_refusing_when_the_numbers_have_passed"),
  A_REFUSAL_IS_NOT_ADOPTED(
      Edit.java("health/RollbackDetector", "    adopt(seen.refused());\n", ""),
      "StickyRefusalTest#what_was_found_missing_is_not_forgotten_when_the_numbers_have_passed"),
  THE_CHAIN_IS_NOT_COMPARED(
      Edit.java("health/Evidence", ".or(() -> inChain(before, facts))", ""),
      "StickyRefusalTest#a_chain_that_does_not_go_on_from_what_was_seen_shows_the_loss"),
  INSTANCES_ARE_NOT_COMPARED(
      Edit.java("health/Evidence", "        holder.isPresent() && found", "        false && found"),
      "StickyRefusalTest#a_token_that_another_instance_holds_now_shows_the_loss"),
  WHO_HELD_BEFORE_IS_NOT_COMPARED(
      Edit.sqlite("last-tokens", "p.token = a.token", "false"),
      "StickyRefusalTest#a_token_that_another_instance_has_held_shows_the_loss"),
  A_FRESH_FILE_TESTIFIES(
      Edit.java(
          "health/RollbackDetector",
          "boolean testimony = fileFound ||",
          "boolean testimony = true ||"),
      "StickyRefusalTest#a_file_that_was_begun_since_is_no_witness_for_an_advance"),
  ADDRESSES_ARE_NOT_REMEMBERED(
      Edit.java(
          "health/AddressFile",
          "    if (!contradicts(last, now.storeId(), foundedAbove)) {",
          "    if (foundedAbove >= 0) {"),
      "ReplacedStoreTest#a_witness_that_saw_more_than_the_founders_refuses_the_new_store"),
  // Connections.
  SAVEPOINTS_ARE_ALLOWED(
      Edit.java("connections/StoreConnection", "driver.setAutosave(AutoSave.NEVER);", ""),
      "PostgresAutosaveAtEffectTest#what_the_transaction_saw_before_it_was_stopped_does_not_count",
      "PostgresAutosaveAtEffectTest#nor_does_what_it_saw_before_a_hand_over",
      "PostgresAutosaveAtEffectTest#nor_does_what_it_saw_before_a_revocation",
      "PostgresAutosaveAtEffectTest#nor_does_an_incarnation_of_before");

  /** Tests that find several mutants. The triggers would correct what a purge forgets. */
  private interface By {
    String PURGING = "untriggered:close+come-and-go@absent";
    String TIDYING = "untriggered:close+come-and-tidy@absent";
    String THE_RULE = "PostgresPurgeTest#what_a_page_purges_is_what_the_rule_purges";

    /** For a store without triggers. */
    String THE_RULE_ALONE = "CockroachDialectPurgeTest#what_a_page_purges_is_what_the_rule_purges";
  }

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final Edit edit;

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list
  private final List<String> killers;

  StoreMutant(Edit edit, String... killers) {
    this.edit = edit;
    this.killers = List.of(killers);
  }

  Edit edit() {
    return edit;
  }

  List<String> killers() {
    return killers;
  }

  /** One replacement in one file; the replaced text must occur exactly once. */
  record Edit(String file, String find, String replacement) {
    static Edit postgresql(String statement, String find, String replacement) {
      return new Edit("postgresql/" + statement + ".sql", find, replacement);
    }

    static Edit sqlite(String statement, String find, String replacement) {
      return new Edit("sqlite/" + statement + ".sql", find, replacement);
    }

    static Edit shared(String statement, String find, String replacement) {
      return new Edit("shared/" + statement + ".sql", find, replacement);
    }

    static Edit java(String type, String find, String replacement) {
      return new Edit(type + ".java", find, replacement);
    }

    String applyTo(String text) {
      int at = text.indexOf(find);
      if (at < 0 || text.indexOf(find, at + 1) >= 0) {
        throw new AssertionError(
            "'" + find + "' must be in " + file + " exactly once: adapt the mutant");
      }
      return text.replace(find, replacement);
    }
  }
}
