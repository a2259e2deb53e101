package dev.leasehold.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every source file of the repository is tidy, and every rule bites on what is planted for it. */
class TidinessTest {
  @ParameterizedTest
  @EnumSource
  void everySourceFileIsTidy(Tidiness rule) {
    judgeAllFiles(rule::violations);
  }

  @ParameterizedTest
  @EnumSource
  void noSourceFileHasABannedUse(BannedUse ban) {
    judgeAllFiles(ban::violations);
  }

  @Test
  void everyPackageIsDocumentedAndNullMarked() {
    assertThat(PackageDocument.missing(SourceFile.all())).isEmpty();
  }

  @Test
  void thereAreSourceFilesToJudge() {
    assertThat(SourceFile.all()).extracting(SourceFile::module).contains("fence", "kernel");
  }

  @ParameterizedTest
  @EnumSource
  void theRuleBites(Tidiness rule) {
    for (SourceFile planted : TidinessPlants.untidy(rule)) {
      assertThat(rule.violations(planted)).as("%s on %s", rule, planted.text()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theRuleLetsPassWhatIsAtItsLimit(Tidiness rule) {
    for (SourceFile planted : TidinessPlants.tidy(rule)) {
      assertThat(rule.violations(planted)).as("%s on %s", rule, planted.text()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theBanBites(BannedUse ban) {
    for (SourceFile planted : TidinessPlants.banned(ban)) {
      assertThat(ban.violations(planted)).as("%s on %s", ban, planted.text()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theBanLetsPassWhatIsAllowed(BannedUse ban) {
    for (SourceFile planted : TidinessPlants.allowed(ban)) {
      assertThat(ban.violations(planted)).as("%s on %s", ban, planted.text()).isEmpty();
    }
  }

  @Test
  void aPackageWithoutADocumentIsFound() {
    assertThat(PackageDocument.missing(TidinessPlants.packageWith(""))).hasSize(1);
    assertThat(PackageDocument.missing(TidinessPlants.packageWith("/** Why. */ ")))
        .as("not null-marked")
        .hasSize(1);
    assertThat(PackageDocument.missing(TidinessPlants.packageWith("@NullMarked ")))
        .as("no comment")
        .hasSize(1);
    assertThat(PackageDocument.missing(TidinessPlants.packageWith("/** Why. */ @NullMarked ")))
        .isEmpty();
  }

  private static void judgeAllFiles(Function<SourceFile, List<String>> rule) {
    List<String> violations =
        SourceFile.all().stream().flatMap(file -> rule.apply(file).stream()).toList();
    assertThat(violations).withFailMessage(() -> String.join("\n", violations)).isEmpty();
  }
}
