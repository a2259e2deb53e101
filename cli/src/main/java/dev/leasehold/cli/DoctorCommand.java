package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.remote.RemoteLeaseStore;
import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.server.doctor.DatabaseChecks;
import dev.leasehold.server.doctor.DatabaseChecks.Pending;
import dev.leasehold.server.doctor.Doctor;
import dev.leasehold.server.doctor.StoreChecks;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.SchemaState;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code doctor}: whether leases are safe in a store, and what to do where they are not. */
@Command(
    name = "doctor",
    description = "Check a store, and the servers on it, and say what to do about what is wrong.",
    footer = {
      "",
      "Exits with 7 when there is a problem, and with 5 when the store cannot be reached.",
      "A schema that is behind is reported, and left as it is.",
      "",
      "Examples:",
      "  leasehold doctor --store jdbc:postgresql://db/app --data /var/lib/leasehold",
      "  leasehold doctor --server http://127.0.0.1:7420 --json"
    })
final class DoctorCommand implements Callable<Integer> {
  @Mixin final StoreOptions options = new StoreOptions();

  private final Surroundings surroundings;

  DoctorCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    LeasePlace place = options.place(surroundings);
    List<Diagnosis> found =
        switch (place) {
          case StorePlace store when store.isMemory() -> open(store);
          case StorePlace store -> examine(store);
          case ServerPlace server -> open(server);
        };
    surroundings.out().println(options.json ? json(found).toString() : page(found));
    return (Diagnosis.isSound(found) ? Exit.DONE : Exit.HOLES).code();
  }

  private List<Diagnosis> open(LeasePlace place) {
    try (LeaseStore store = surroundings.stores().apply(place)) {
      return store instanceof RemoteLeaseStore remote
          ? Asking.await(remote.doctor())
          : Asking.await(doctor(Pending.APPLIED_BY_ITSELF).examine(store));
    }
  }

  private static Doctor doctor(Pending pending) {
    return new Doctor(
        InstantSource.system(), pending, Optional.of(LeaseholdCommand.Version.number()));
  }

  /** First from outside: what keeps a store from being opened is what people come for. */
  private List<Diagnosis> examine(StorePlace place) {
    Pending pending =
        place.schema() == StorePlace.Schema.AUTO
            ? Pending.APPLIED_BY_ITSELF
            : Pending.LEFT_TO_PEOPLE;
    DatabaseFacts facts = place.builder().examine(InstantSource.system());
    if (!(facts.schema().state() instanceof SchemaState.Current)) {
      return with(StoreChecks.leftOut(), facts, pending);
    }
    try (LeaseStore store = place.untouched().open()) {
      return Asking.await(doctor(pending).examine(store)).stream()
          .map(one -> withFolder(one, place))
          .toList();
    } catch (StoreUnusableException e) {
      if (e.isUnreachable()) {
        throw e;
      }
      return with(StoreChecks.unopened(String.valueOf(e.getMessage())), facts, pending);
    }
  }

  /** A folder that was named and is not there is not made: it would have nothing to tell. */
  private static Diagnosis withFolder(Diagnosis found, StorePlace place) {
    boolean missing = place.data().isPresent() && !Files.isDirectory(place.data().get());
    return missing && found instanceof Diagnosis.Warning && found.check().equals("witness")
        ? new Diagnosis.Warning(
            "witness",
            "there is no folder "
                + place.data().get()
                + ", so nobody outside the database would know that it was restored from a backup",
            "name the folder by --data that serve keeps, on another disk")
        : found;
  }

  private static List<Diagnosis> with(Diagnosis last, DatabaseFacts facts, Pending pending) {
    List<Diagnosis> found = new ArrayList<>(DatabaseChecks.all(facts, pending));
    found.add(last);
    return found;
  }

  private static Json json(List<Diagnosis> found) {
    return new Json()
        .with("outcome", Diagnosis.isSound(found) ? "sound" : "problems")
        .with("checks", found.stream().map(DoctorCommand::json).toList());
  }

  private static Json json(Diagnosis one) {
    Json json =
        new Json()
            .with("check", one.check())
            .with("verdict", one.verdict())
            .with("what", one.what());
    return one.remedy().isEmpty() ? json : json.with("remedy", one.remedy());
  }

  private static String page(List<Diagnosis> found) {
    List<String> lines = new ArrayList<>();
    for (Diagnosis one : found) {
      String remedy = one.remedy().isEmpty() ? "" : ": " + one.remedy();
      lines.add("%-8s %-10s %s".formatted(one.verdict(), one.check(), one.what() + remedy));
    }
    return String.join(System.lineSeparator(), lines);
  }
}
