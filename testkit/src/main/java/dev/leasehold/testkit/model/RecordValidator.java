package dev.leasehold.testkit.model;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Limits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What must hold of every record of every store, after any commands: of each by itself, and of each
 * compared with what was seen before. It does not ask the rules, so it also judges them.
 *
 * <p>One validator watches one store, and is shown each record after each step; several commands
 * may lie between two looks at a key, so only that is judged which no sequence of commands may do.
 */
public final class RecordValidator {
  private final Limits limits;
  private final Map<LeaseKey, LeaseRecord> lastSeen = new HashMap<>();
  private final Map<LeaseKey, Token> highest = new HashMap<>();

  public RecordValidator(Limits limits) {
    this.limits = limits;
  }

  /** What is wrong with what is on record for a key now, in sentences; nothing when all is well. */
  public List<String> violations(LeaseKey key, Optional<LeaseRecord> found) {
    Findings findings = new Findings();
    if (found.isEmpty()) {
      lastSeen.remove(key);
      return findings.sentences;
    }
    LeaseRecord record = found.get();
    findings.require(record.key().equals(key), "the record of " + key + " says it is another's");
    findings.require(record.writtenAtMillis() > 0, "what was never written is no record");
    validate(record, findings);
    record.grant().ifPresent(grant -> validate(grant, findings));
    Token before = highest.get(key);
    if (before != null) {
      findings.require(
          !record.last().isBelow(before), "I2: last went back from " + before, record.last());
    }
    LeaseRecord earlier = lastSeen.get(key);
    if (earlier != null) {
      validateSince(earlier, record, findings);
    } else if (before != null && record.grant().isPresent()) {
      findings.require(
          record.grant().get().token().isAbove(before),
          "I2: a grant after the purge is not above " + before,
          record.grant().get().token());
    }
    highest.merge(key, record.last(), (a, b) -> a.isAbove(b) ? a : b);
    lastSeen.put(key, record);
    return findings.sentences;
  }

  private static final class Findings {
    final List<String> sentences = new ArrayList<>();

    void require(boolean holds, String sentence) {
      if (!holds) {
        sentences.add(sentence);
      }
    }

    void require(boolean holds, String sentence, Object found) {
      require(holds, sentence + ", found " + found);
    }
  }

  private static void validate(LeaseRecord record, Findings findings) {
    if (record.grant().isEmpty()) {
      return;
    }
    Grant grant = record.grant().get();
    findings.require(!grant.token().isAbove(record.last()), "the grant's token is above last");
    findings.require(
        grant.renewedAtMillis() <= record.writtenAtMillis(), "renewed after it was written");
    if (grant.isCurrent()) {
      findings.require(
          grant.token().equals(record.last()), "a current grant below a number issued later");
      findings.require(record.closure().isEmpty(), "a current grant of a closed key");
      findings.require(
          record.bar().filter(b -> b.instanceId().equals(grant.instanceId())).isEmpty(),
          "the current grant of a barred instance");
    }
    if (grant.standing() instanceof Standing.Ended ended) {
      validate(ended, record, findings);
    }
  }

  private static void validate(Standing.Ended ended, LeaseRecord record, Findings findings) {
    boolean isVoided =
        ended.reason() instanceof LossReason.Revoked
            || ended.reason() instanceof LossReason.Stalled
            || ended.reason() instanceof LossReason.Expired;
    Token token = record.grant().orElseThrow().token();
    findings.require(
        !isVoided || record.last().isAbove(token),
        "no void token above a grant that was taken away");
    findings.require(ended.atMillis() <= record.writtenAtMillis(), "ended after it was written");
    boolean canEndSo =
        isVoided
            || ended.reason() instanceof LossReason.Released
            || ended.reason() instanceof LossReason.IncarnationAdvanced;
    findings.require(canEndSo, "no grant on record ends as this one", ended.reason());
  }

  private void validate(Grant grant, Findings findings) {
    long ttlMillis = grant.terms().ttlMillis();
    findings.require(grant.token().counter() > 0, "counter 0 belongs to no grant");
    findings.require(
        ttlMillis >= limits.minTtlMillis() && ttlMillis <= Limits.MAX_TTL_MILLIS,
        "a ttl out of the store's bounds",
        ttlMillis);
    findings.require(grant.grantedAtMillis() <= grant.renewedAtMillis(), "renewed before granted");
    findings.require(
        grant.expiresAtMillis() >= grant.renewedAtMillis() + ttlMillis,
        "expires sooner than the ttl it was renewed for");
    findings.require(
        grant.progress().movedAtMillis() >= grant.grantedAtMillis()
            && grant.progress().movedAtMillis() <= grant.renewedAtMillis(),
        "progress moved without a command that could have reported it",
        grant.progress());
  }

  private void validateSince(LeaseRecord before, LeaseRecord after, Findings findings) {
    findings.require(
        after.writtenAtMillis() >= before.writtenAtMillis(),
        "store time went back from " + before.writtenAtMillis(),
        after.writtenAtMillis());
    if (before.grant().isEmpty()) {
      return;
    }
    Grant old = before.grant().get();
    if (after.grant().isEmpty()) {
      // Purged and begun anew between two looks, which takes as long as requests are remembered.
      long quietMillis = after.writtenAtMillis() - before.writtenAtMillis();
      findings.require(quietMillis >= limits.memoryMillis(), "the record forgot its latest grant");
      return;
    }
    Grant now = after.grant().get();
    if (now.token().equals(old.token())) {
      validateSameGrant(old, now, findings);
    } else {
      findings.require(
          now.token().isAbove(before.last()), "I2: a new grant not above " + before.last(), now);
      findings.require(
          now.grantedAtMillis() >= before.writtenAtMillis(), "granted before what went before");
    }
  }

  private static void validateSameGrant(Grant old, Grant now, Findings findings) {
    boolean sameTenure =
        now.instanceId().equals(old.instanceId())
            && now.requestId().equals(old.requestId())
            && now.grantedAtMillis() == old.grantedAtMillis()
            && now.terms().info().equals(old.terms().info())
            && now.terms().stallLimit().equals(old.terms().stallLimit());
    findings.require(sameTenure, "another grant under the token of " + old, now);
    findings.require(
        now.expiresAtMillis() >= old.expiresAtMillis(), "a renewal cut the grant short", now);
    findings.require(now.renewedAtMillis() >= old.renewedAtMillis(), "a renewal went back", now);
    findings.require(now.progress().mark() >= old.progress().mark(), "progress went back", now);
    boolean renewed = now.renewedAtMillis() > old.renewedAtMillis();
    switch (old.standing()) {
      case Standing.Ended ended -> findings.require(now.equals(old), "I3: ended, and changed", now);
      case Standing.Lapsed lapsed -> {
        findings.require(!(now.standing() instanceof Standing.Open), "I3: lapsed, and open again");
        findings.require(!renewed, "I3: lapsed, and renewed", now);
      }
      case Standing.Open open -> {}
    }
  }
}
