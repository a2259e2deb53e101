package dev.leasehold.remote.wire;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;

/** Outcomes as JSON: {@code outcome} is the word, and its details are further members. */
public final class Outcomes {
  private Outcomes() {}

  /** The outcomes of several commands, in their order, each with its key. */
  public static void writeResults(
      JsonOut out, List<? extends Command> commands, List<Outcome> outcomes, Detail detail) {
    Results.write(
        out,
        commands,
        outcomes,
        (item, command, outcome) -> writeResult(item, command.key(), outcome, detail));
  }

  /** The outcome of one command, with its key. */
  public static void writeResult(JsonOut out, LeaseKey key, Outcome outcome, Detail detail) {
    if (!(outcome instanceof Outcome.Granted)) {
      out.text("key", key.text());
    }
    write(out, key, outcome, detail);
  }

  /** As many outcomes as there are commands, in their order. */
  public static List<Outcome> readResults(Members members, int commands) {
    return Results.read(members, commands, Outcomes::read);
  }

  public static String word(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Granted o -> "granted";
      case Outcome.Held o -> "held";
      case Outcome.Closed o -> "closed";
      case Outcome.Changed o -> "changed";
      case Outcome.Ended o -> "ended";
      case Outcome.Abandoned o -> "abandoned";
      case Outcome.Renewed o -> "renewed";
      case Outcome.Released o -> "released";
      case Outcome.HandedOver o -> "handedOver";
      case Outcome.Revoked o -> "revoked";
      case Outcome.Free o -> "free";
      case Outcome.Reopened o -> "reopened";
      case Outcome.NotClosed o -> "notClosed";
      case Outcome.Lost o -> "lost";
      case BlockOutcome ofAnyBlock -> BlockOutcomes.word(ofAnyBlock);
      case Outcome.NotStalled o -> throw onlyStoresSee(o);
      case Outcome.NotExpired o -> throw onlyStoresSee(o);
      case Outcome.Purged o -> throw onlyStoresSee(o);
      case Outcome.Kept o -> throw onlyStoresSee(o);
    };
  }

  public static void write(JsonOut out, LeaseKey key, Outcome outcome, Detail detail) {
    out.text("outcome", word(outcome));
    switch (outcome) {
      case Outcome.Granted granted -> writeGranted(out.text("key", key.text()), granted, detail);
      case Outcome.Held held -> {
        out.text("holder", held.by()).text("instanceId", held.instanceId().text());
        out.number("token", held.token().value()).number("remainingMs", held.remainingMillis());
        held.lockedBy().ifPresent(lockedBy -> out.text("lockedBy", lockedBy));
      }
      case Outcome.Closed closed -> {
        out.text("reason", closed.reason()).number("remainingMs", closed.remainingMillis());
      }
      case Outcome.Ended ended -> {
        out.number("token", ended.token().value());
        LossReasons.write(out, ended.reason());
      }
      case Outcome.Renewed renewed -> out.number("remainingMs", renewed.remainingMillis());
      case Outcome.HandedOver handedOver -> out.number("token", handedOver.token().value());
      case Outcome.Revoked revoked -> out.number("token", revoked.token().value());
      case Outcome.Lost lost -> LossReasons.write(out, lost.reason());
      case BlockOutcome ofAnyBlock -> BlockOutcomes.writeDetails(out, ofAnyBlock);
      default -> {
        // The word alone is complete.
      }
    }
  }

  private static void writeGranted(JsonOut out, Outcome.Granted granted, Detail detail) {
    out.number("token", granted.grant().token().value());
    out.text("holder", granted.grant().terms().info().holder());
    out.text("instanceId", granted.grant().instanceId().text());
    out.number("ttlMs", granted.grant().terms().ttlMillis());
    out.number("remainingMs", granted.remainingMillis());
    if (detail == Detail.RECORD) {
      out.object("grant", inner -> Grants.write(inner, granted.grant()));
    }
  }

  /** Reads an answer in full detail. */
  public static Outcome read(Members members) {
    return members.together(
        () ->
            switch (members.text("outcome")) {
              case "granted" ->
                  new Outcome.Granted(
                      Grants.read(members.object("grant")), members.number("remainingMs"));
              case "held" ->
                  new Outcome.Held(
                      members.text("holder"),
                      members.parsed("instanceId", InstanceId::new),
                      Commands.token(members),
                      members.number("remainingMs"),
                      members.textIfAny("lockedBy"));
              case "closed" ->
                  new Outcome.Closed(members.text("reason"), members.numberIfAny("remainingMs"));
              case "changed" -> new Outcome.Changed();
              case "ended" -> new Outcome.Ended(Commands.token(members), LossReasons.read(members));
              case "abandoned" -> new Outcome.Abandoned();
              case "renewed" -> new Outcome.Renewed(members.number("remainingMs"));
              case "released" -> new Outcome.Released();
              case "handedOver" -> new Outcome.HandedOver(Commands.token(members));
              case "revoked" -> new Outcome.Revoked(Commands.token(members));
              case "free" -> new Outcome.Free();
              case "reopened" -> new Outcome.Reopened();
              case "notClosed" -> new Outcome.NotClosed();
              case "lost" -> new Outcome.Lost(LossReasons.read(members));
              default -> BlockOutcomes.read(members, Command.KIND);
            });
  }

  private static IllegalArgumentException onlyStoresSee(Outcome outcome) {
    return new IllegalArgumentException("only a store sees " + outcome);
  }
}
