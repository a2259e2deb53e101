package dev.leasehold.examples.gateway;

import dev.leasehold.blocks.leader.Leading;
import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.examples.gateway.Driver.State;
import dev.leasehold.examples.gateway.Sandbox.Phase;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.http.FencedResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes the driver do what the records want, and records the results. Both loops run only under a
 * term, and everything they write brings its claim.
 *
 * <pre>
 *   record         driver       what is done
 *   PROVISIONING   nothing      it is told to provision
 *   DELETING       a sandbox    it is told to remove it
 *   DELETING       nothing      the record is deleted
 *   READY, ERROR   nothing      an orphan: the record is deleted after the grace
 *   any other      a sandbox    the record's phase becomes what the driver says
 *   none           a sandbox    left over: the driver is told to remove it
 * </pre>
 */
final class Reconciler {
  /** How often to judge a sandbox again after another writer's change. */
  private static final int ATTEMPTS = 5;

  private final DriverClient driver;
  private final VersionedObjects objects;
  private final Fencing fencing;
  private final Absences absences;

  /**
   * Two loops must not judge one sandbox at the same time; otherwise the older observation may be
   * written last.
   */
  private final ReentrantLock judging = new ReentrantLock();

  /** How objects are written under a term. */
  @FunctionalInterface
  interface Fencing {
    VersionedObjects under(VersionedObjects objects, Leading leading);
  }

  /** The result of judging one sandbox. */
  private enum Look {
    SETTLED,
    /** Another writer has changed the record meanwhile. */
    OVERTAKEN
  }

  Reconciler(DriverClient driver, VersionedObjects objects, Fencing fencing, Absences absences) {
    this.driver = driver;
    this.objects = objects;
    this.fencing = fencing;
    this.absences = absences;
  }

  /** Follows the driver's events, until the term ends. */
  void watch(Leading leading) throws Exception {
    try (InputStream events = driver.events()) {
      var unused = leading.ending().thenRun(() -> close(events));
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8));
      for (String id = lines.readLine(); id != null; id = lines.readLine()) {
        leading.progressed();
        if (!id.isEmpty()) {
          reconcile(leading, id);
        }
      }
    }
    throw new IOException("the driver tells no more");
  }

  private static void close(InputStream events) {
    try {
      events.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Judges all sandboxes, because events may have been missed or never sent. */
  void sweep(Leading leading) throws Exception {
    absences.of(leading.term());
    // Listed before the records: a sandbox that is listed now and has no record afterwards has lost
    // its record.
    Map<String, State> leftOver = new HashMap<>(driver.list());
    ObjectQuery query = ObjectQuery.all(Sandbox.TYPE);
    Optional<String> next;
    do {
      ObjectPage page = objects.list(query);
      for (VersionedObject record : page.items()) {
        String id = record.name().id();
        Optional<State> told = Optional.ofNullable(leftOver.remove(id));
        if (needsALook(id, Sandbox.of(record.payload()).phase(), told)) {
          step(leading, id);
        }
      }
      next = page.next();
      query = query.from(next.orElse(""));
    } while (next.isPresent());
    for (String id : leftOver.keySet()) {
      step(leading, id);
    }
  }

  /** Orphans are kept for their grace, because the driver may only be restarting. */
  private boolean needsALook(String id, Phase phase, Optional<State> told) {
    boolean orphan = told.isEmpty() && (phase == Phase.READY || phase == Phase.ERROR);
    if (!orphan) {
      absences.seen(id);
    }
    return orphan
        ? absences.isOverdue(id)
        : told.isEmpty() || phase == Phase.DELETING || phase != phaseOf(told.get());
  }

  private void step(Leading leading, String id) throws Exception {
    if (leading.isEnding()) {
      return;
    }
    leading.progressed();
    reconcile(leading, id);
  }

  private void reconcile(Leading leading, String id) throws Exception {
    judging.lockInterruptibly();
    try {
      Look look = Look.OVERTAKEN;
      for (int i = 0; i < ATTEMPTS && look == Look.OVERTAKEN; i++) {
        look = judge(leading, id);
      }
    } finally {
      judging.unlock();
    }
  }

  /**
   * The record is read first, so that the driver's answer is newer than the record, unless the
   * version has changed.
   */
  private Look judge(Leading leading, String id) throws Exception {
    Optional<VersionedObject> record = objects.get(Sandbox.name(id));
    Optional<State> found = driver.find(id);
    if (record.isEmpty()) {
      return found.isEmpty() ? Look.SETTLED : remove(leading, id);
    }
    Sandbox sandbox = Sandbox.of(record.get().payload());
    return found.isPresent()
        ? known(leading, record.get(), sandbox, found.get())
        : unknown(leading, record.get(), sandbox);
  }

  private Look known(Leading leading, VersionedObject record, Sandbox sandbox, State state)
      throws Exception {
    if (sandbox.phase() == Phase.DELETING) {
      return remove(leading, record.name().id());
    }
    Phase phase = phaseOf(state);
    if (sandbox.phase() == phase) {
      return Look.SETTLED;
    }
    String by = leading.term().holder() + " under " + leading.term().token();
    return written(
        leading,
        record,
        fencing
            .under(objects, leading)
            .replace(record.name(), record.version(), sandbox.in(phase, by).payload()));
  }

  private Look unknown(Leading leading, VersionedObject record, Sandbox sandbox) throws Exception {
    String id = record.name().id();
    return switch (sandbox.phase()) {
      case PROVISIONING ->
          told(leading, id, driver.provision(id, sandbox.image(), leading.claim()));
      case DELETING -> drop(leading, record);
      case READY, ERROR -> absences.isOverdue(id) ? drop(leading, record) : Look.SETTLED;
    };
  }

  private Look drop(Leading leading, VersionedObject record) {
    return written(
        leading, record, fencing.under(objects, leading).delete(record.name(), record.version()));
  }

  private Look remove(Leading leading, String id) throws Exception {
    return told(leading, id, driver.remove(id, leading.claim()));
  }

  private static Look told(Leading leading, String id, FencedResponse<String> answer) {
    return switch (answer) {
      case FencedResponse.Received<String> received -> Look.SETTLED;
      case FencedResponse.Refused<String> refused -> {
        leading.refused("driver", refused.why());
        yield superseded(leading, id, refused.why());
      }
    };
  }

  private static Look written(Leading leading, VersionedObject record, ObjectOutcome outcome) {
    String id = record.name().id();
    return switch (outcome) {
      case ObjectOutcome.Written written -> Look.SETTLED;
      case ObjectOutcome.Deleted deleted -> {
        Gateway.say("dropped " + id);
        yield Look.SETTLED;
      }
      case ObjectOutcome.Absent absent -> Look.SETTLED;
      case ObjectOutcome.Conflict conflict -> Look.OVERTAKEN;
      case ObjectOutcome.Refused refused -> superseded(leading, id, refused.why());
      case ObjectOutcome.Bound bound -> throw new IllegalStateException(id + " is " + bound);
      case ObjectOutcome.Rejected rejected -> throw new IllegalStateException(id + ": " + rejected);
      case ObjectOutcome.Failed failed -> throw new IllegalStateException(id + ": " + failed);
    };
  }

  /** Another replica leads, so nothing was changed, and the loop must end. */
  private static Look superseded(Leading leading, String id, Admission.Refused why) {
    Gateway.say("refused " + id + " " + why);
    leading.ensureLeading();
    return Look.SETTLED;
  }

  private static Phase phaseOf(State state) {
    return switch (state) {
      case STARTING -> Phase.PROVISIONING;
      case READY -> Phase.READY;
      case FAILED -> Phase.ERROR;
    };
  }
}
