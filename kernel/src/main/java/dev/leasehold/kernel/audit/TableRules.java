package dev.leasehold.kernel.audit;

import dev.leasehold.kernel.audit.AuditReport.TargetLine;
import dev.leasehold.kernel.audit.Finding.Rule;
import dev.leasehold.kernel.audit.Finding.Severity;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.spi.TableFacts;
import dev.leasehold.kernel.spi.TableFacts.TokenColumn;
import java.util.ArrayList;
import java.util.List;

/** Checks the tables of the store's database against what charters promise of them. */
final class TableRules {
  private TableRules() {}

  static List<Finding> findings(TableFacts tables, List<TargetLine> targets) {
    List<Finding> findings = new ArrayList<>();
    for (TokenColumn column : tables.unguarded()) {
      boolean checked = targets.stream().anyMatch(line -> isFence(line, column.table()));
      findings.add(
          new Finding(
              Rule.UNGUARDED_TABLE,
              checked ? Severity.NOTE : Severity.HOLE,
              column.table(),
              "its column "
                  + column.column()
                  + " looks like a token, and no guard is on the table"
                  + (checked
                      ? ": code that goes past the fence of its charter is not stopped"
                      : ": whether anything is checked is up to each statement"),
              "leasehold fence install --table "
                  + column.table()
                  + (checked ? "" : ", or name it in a charter with the fence that checks it")));
    }
    for (TableFacts.GuardGap gap : tables.gaps()) {
      findings.add(
          new Finding(
              Rule.GUARD_NOT_WHOLE,
              gap.openNow() ? Severity.HOLE : Severity.NOTE,
              gap.table(),
              gap.what(),
              gap.openNow()
                  ? "leasehold fence install --table " + gap.table() + " puts the guard back"
                  : "let only people you trust have that right"));
    }
    targets.stream()
        .filter(line -> line.target().check() == Check.GUARDED_TABLE)
        .filter(line -> tables.guarded().stream().noneMatch(table -> isNamed(line, table)))
        .forEach(line -> findings.add(withoutGuard(line)));
    return findings;
  }

  private static Finding withoutGuard(TargetLine line) {
    String table = line.target().name();
    return new Finding(
        Rule.MISSING_GUARD,
        Severity.HOLE,
        TargetRules.about(line),
        "its charter says that it is a guarded table, and no table of that name has a guard in the"
            + " database of the store",
        "leasehold fence install --table "
            + table
            + "; if the table is called otherwise, name the target after it");
  }

  /** Charters may name a table with or without its schema. */
  private static boolean isFence(TargetLine line, String table) {
    return line.target().check().isFence() && isNamed(line, table);
  }

  private static boolean isNamed(TargetLine line, String table) {
    String bare = table.substring(table.lastIndexOf('.') + 1);
    String target = line.target().name();
    return target.equals(table) || target.equals(bare);
  }
}
