package dev.leasehold.server.ops;

import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Ticker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/** Counters and timers, as Prometheus text. */
public final class Meters implements LeaseObserver {
  /** Callers choose the names of targets; targets beyond this number are counted together. */
  private static final int MAX_TARGETS = 200;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Ticker ticker;
  private final Counter grants = counter("leasehold.grants", "Leases that were granted here");
  private final Counter releases =
      counter("leasehold.releases", "Leases that their holders gave back or handed over here");
  private final Counter lateRenewals =
      counter("leasehold.late.renewals", "Renewals that were carried out after some that failed");
  private final Counter takeovers =
      counter("leasehold.takeovers", "Grants that took the place of another, from hints");
  private final Timer renewals =
      Timer.builder("leasehold.renew")
          .description("How long the store takes for a batch of renewals")
          .publishPercentileHistogram()
          .register(registry);
  private final DistributionSummary batches =
      DistributionSummary.builder("leasehold.batch.size")
          .description("Commands in one call to the store")
          .serviceLevelObjectives(1, 4, 16, 64, 256, 1_000)
          .register(registry);
  private final Set<String> targets = ConcurrentHashMap.newKeySet();

  /** By status. Every answer is counted, and looking up a counter by its tags is slow. */
  private final Map<Integer, Counter> answers = new ConcurrentHashMap<>();

  /** The registry holds these weakly, and would show the last value of a collected one for ever. */
  private final List<DoubleSupplier> countedElsewhere = new CopyOnWriteArrayList<>();

  public Meters(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Measures the commands that pass from the gatherer to the store. */
  public Function<List<Command>, CompletionStage<List<Outcome>>> around(
      Function<List<Command>, CompletionStage<List<Outcome>>> store) {
    return batch -> {
      batches.record(batch.size());
      boolean renewing = batch.stream().allMatch(Command.Renew.class::isInstance);
      long began = ticker.nanos();
      return store
          .apply(batch)
          .whenComplete(
              (outcomes, failure) -> {
                if (renewing) {
                  renewals.record(ticker.nanos() - began, TimeUnit.NANOSECONDS);
                }
                if (failure == null) {
                  outcomes.forEach(this::count);
                }
              });
    };
  }

  private void count(Outcome outcome) {
    if (outcome instanceof Outcome.Failed failed) {
      counter(
              "leasehold.failures",
              "Commands that the store has failed",
              "certainty",
              failed.certainty().name())
          .increment();
    }
  }

  @Override
  public void observed(LeaseEvent event) {
    switch (event) {
      case LeaseEvent.Acquired acquired -> grants.increment();
      case LeaseEvent.Waiting waiting ->
          counter("leasehold.waits", "Requests of waiters", "cause", waiting.cause().name())
              .increment();
      case LeaseEvent.NotAcquired ended -> notAcquired(ended.cause()).increment();
      case LeaseEvent.RenewedLate late -> lateRenewals.increment();
      case LeaseEvent.Released released -> releases.increment();
      case LeaseEvent.Lost lost ->
          counter("leasehold.losses", "Grants that were lost", "reason", lost.reason().word())
              .increment();
      case LeaseEvent.Superseded superseded -> takeovers.increment();
      case LeaseEvent.Refused refused -> refused(refused.target());
      case LeaseEvent.OfBlock ofBlock -> {
        // A server runs no blocks.
      }
    }
  }

  private Counter notAcquired(LeaseEvent.NotAcquired.Cause cause) {
    return counter(
        "leasehold.not.acquired", "Attempts that ended without the lease", "why", cause.name());
  }

  private void refused(String target) {
    boolean named =
        targets.contains(target) || (targets.size() < MAX_TARGETS && targets.add(target));
    counter(
            "leasehold.refused.writes",
            "Writes that a target has refused for their token",
            "target",
            named ? target : "(others)")
        .increment();
  }

  public void answered(int status) {
    answers.computeIfAbsent(status, this::answersOf).increment();
  }

  private Counter answersOf(int status) {
    return counter(
        "leasehold.http.answers",
        "Requests that were answered",
        "status",
        Integer.toString(status));
  }

  private Counter counter(String name, String description, String... tags) {
    return Counter.builder(name).description(description).tags(tags).register(registry);
  }

  /** The present size of a thing, tagged with its state. */
  public void gauge(String name, String description, String state, DoubleSupplier value) {
    Gauge.builder(name, value::getAsDouble)
        .description(description)
        .tag("state", state)
        .strongReference(true)
        .register(registry);
  }

  /** A count that only grows and is kept elsewhere. */
  public void counter(String name, String description, DoubleSupplier value) {
    countedElsewhere.add(value);
    FunctionCounter.builder(name, value, DoubleSupplier::getAsDouble)
        .description(description)
        .register(registry);
  }

  public String text() {
    return registry.scrape();
  }
}
