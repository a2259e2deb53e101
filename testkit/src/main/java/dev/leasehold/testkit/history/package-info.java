/**
 * What a run did, written down, and whether the protocol allows it.
 *
 * <p>Three things are recorded. <em>Calls</em>: what clients asked of the store, when, and what
 * they were told. The <em>log</em>: what the store itself wrote, in the order in which it took
 * effect for each key; it is the ground truth. What <em>targets</em> let in or refused. Faults that
 * were planned are noted beside them, since some promises end there.
 *
 * <pre>
 *   EventLog events = new EventLog();
 *   HistoryRecorder recorder = new HistoryRecorder("worker-1", Ticker.system(), events);
 *   LeaseStore store = new RecordingStore(realStore, recorder);
 *   ...                                                    the run
 *   CheckResult verdict = HistoryChecks.check(History.of(events.events()));
 *   verdict.requireClean();
 *   verdict.tally().requireAtLeast(Tally.Count.TAKEOVERS, 10);
 * </pre>
 *
 * <p>The events of several processes, put together, make one history. A call without an answer,
 * because its process was killed or its answer never came, is <em>unknown</em>: it may have taken
 * effect or still may. A call is <em>failed</em> only where it is proven that it had no effect.
 *
 * <p>Tokens make a history recoverable: which grant came after which can be read off them, so that
 * every check is a walk along one key, and none has to search for an order that would explain what
 * was seen. A million events take seconds.
 */
@NullMarked
package dev.leasehold.testkit.history;

import org.jspecify.annotations.NullMarked;
