package dev.leasehold.cli.store;

import dev.leasehold.cli.command.BuildVersion;
import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreOptions;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.output.JsonLine;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.cli.place.ServerPlace;
import dev.leasehold.cli.place.StorePlace;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.RemoteDoctor;
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

/** {@code doctor}: whether leases are safe in a store, and how to repair what is wrong. */
@Command(
    name = "doctor",
    description = "Check a store and the servers on it, and say how to repair what is wrong.",
    footer = {
      "",
      "Exits with 7 when there is a problem, and with 5 when the store cannot be reached.",
      "An outdated schema is reported, and not changed.",
      "",
      "Examples:",
      "  leasehold doctor --store jdbc:postgresql://db/app --data /var/lib/leasehold",
      "  leasehold doctor --server http://127.0.0.1:7420 --json"
    })
public final class DoctorCommand implements Callable<Integer> {
  @Mixin final StoreOptions options = new StoreOptions();

  private final CommandContext context;

  public DoctorCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    LeasePlace place = options.place(context);
    List<Diagnosis> found =
        switch (place) {
          case StorePlace store when store.isMemory() -> open(store);
          case StorePlace store -> examine(store);
          case ServerPlace server -> open(server);
        };
    context
        .out()
        .println(options.json ? JsonLine.of(out -> Diagnosis.write(out, found)) : page(found));
    return (Diagnosis.isSound(found) ? Exit.DONE : Exit.HOLES).code();
  }

  private List<Diagnosis> open(LeasePlace place) {
    try (Store store = context.stores().apply(place)) {
      return StoreCalls.await(
          store
              .part(RemoteDoctor.class)
              .map(RemoteDoctor::examine)
              .orElseGet(() -> doctor(Pending.APPLIED_BY_ITSELF).examine(store)));
    }
  }

  private static Doctor doctor(Pending pending) {
    return new Doctor(InstantSource.system(), pending, Optional.of(BuildVersion.number()));
  }

  /**
   * Examines the database from outside first, because many operators come with a store that cannot
   * be opened.
   */
  private List<Diagnosis> examine(StorePlace place) {
    Pending pending =
        place.schema() == StorePlace.Schema.AUTO
            ? Pending.APPLIED_BY_ITSELF
            : Pending.LEFT_TO_PEOPLE;
    DatabaseFacts facts = place.builder().examine(InstantSource.system());
    if (!(facts.schema().state() instanceof SchemaState.Current)) {
      return with(StoreChecks.leftOut(), facts, pending);
    }
    try (Store store = place.untouched().open()) {
      return StoreCalls.await(doctor(pending).examine(store)).stream()
          .map(one -> withFolder(one, place))
          .toList();
    } catch (StoreUnusableException e) {
      if (e.isUnreachable()) {
        throw e;
      }
      return with(StoreChecks.unopened(String.valueOf(e.getMessage())), facts, pending);
    }
  }

  /** A data folder that does not exist is not created, because it would contain no information. */
  private static Diagnosis withFolder(Diagnosis found, StorePlace place) {
    boolean missing = place.data().isPresent() && !Files.isDirectory(place.data().get());
    return missing && found instanceof Diagnosis.Warning && found.check().equals("witness")
        ? new Diagnosis.Warning(
            "witness",
            "there is no folder "
                + place.data().get()
                + ", so nothing outside the database would show that it was restored from a backup",
            "by --data, name the folder that serve uses, on another disk")
        : found;
  }

  private static List<Diagnosis> with(Diagnosis last, DatabaseFacts facts, Pending pending) {
    List<Diagnosis> found = new ArrayList<>(DatabaseChecks.all(facts, pending));
    found.add(last);
    return found;
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
