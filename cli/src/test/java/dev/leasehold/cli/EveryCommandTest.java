package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell.Result;
import dev.leasehold.cli.command.CommandContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Properties of every command, as the program itself lists them. */
class EveryCommandTest {
  private static final String ESCAPE = "\033[";

  private final Shell shell = new Shell();

  static Stream<String> commands() {
    return everyLine().stream().map(line -> line.getCommandSpec().qualifiedName());
  }

  private static List<CommandLine> everyLine() {
    List<CommandLine> all = new ArrayList<>();
    collect(Commands.all(CommandContext.ofProcess()), all);
    return all;
  }

  private static void collect(CommandLine line, List<CommandLine> all) {
    all.add(line);
    line.getSubcommands().values().forEach(below -> collect(below, all));
  }

  private Result help(String command) {
    return shell.run((command + " --help").replaceFirst("leasehold ?", "").split(" ", -1));
  }

  @Test
  void thereAreCommands() {
    assertThat(commands()).contains("leasehold", "leasehold serve", "leasehold lease acquire");
  }

  /** Under its own name, with all of its options, and without the other commands. */
  @ParameterizedTest
  @MethodSource("commands")
  void whoNamesItGetsItAlone(String command) {
    List<String> words = List.of(command.split(" ", -1));
    CommandLine line = Commands.named(CommandContext.ofProcess(), words.subList(1, words.size()));
    for (String word : words.subList(1, words.size())) {
      assertThat(line.getSubcommands()).containsOnlyKeys(word);
      line = Optional.ofNullable(line.getSubcommands().get(word)).orElseThrow();
      assertThat(line.getCommandName()).isEqualTo(word);
    }
    CommandLine whole =
        everyLine().stream()
            .filter(one -> one.getCommandSpec().qualifiedName().equals(command))
            .findFirst()
            .orElseThrow();
    assertThat(line.getUsageMessage()).isEqualTo(whole.getUsageMessage());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void itHasHelpWithAnExample(String command) {
    Result result = help(command);
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .startsWith("Usage: " + command)
        .containsPattern("Examples?:\\R(.*\\R)*?  .*" + command)
        .doesNotContain(ESCAPE);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void itsHelpHasColoursOnATerminalUnlessTheEnvironmentForbidsThem(String command) {
    shell.terminal = true;
    assertThat(help(command).out()).contains(ESCAPE);
    shell.environment.put("NO_COLOR", "1");
    assertThat(help(command).out()).doesNotContain(ESCAPE);
  }

  @Test
  void everyOptionOfEveryCommandIsDescribed() {
    for (CommandLine line : everyLine()) {
      assertThat(line.getCommandSpec().options())
          .filteredOn(option -> option.description().length == 0)
          .extracting(OptionSpec::longestName)
          .as(line.getCommandName())
          .isEmpty();
    }
  }

  @Test
  void aTableHasAHeadingOnATerminalWhichIsBoldUnlessTheEnvironmentForbidsIt() {
    String[] list = {"lease", "list", "--store", "memory:"};
    assertThat(shell.run(list).out()).isEmpty();
    shell.terminal = true;
    assertThat(shell.run(list).out()).startsWith(ESCAPE + "1mKEY ");
    shell.environment.put("NO_COLOR", "1");
    assertThat(shell.run(list).out()).startsWith("KEY ").doesNotContain(ESCAPE);
  }

  @Test
  void aShellCompletesCommandsOptionsAndWords(@TempDir Path folder) throws Exception {
    Path script = folder.resolve("completion");
    for (String name : List.of("bash", "zsh")) {
      Result printed = shell.run("completion", name);
      assertThat(printed.code()).as(printed.err()).isZero();
      Files.writeString(script, printed.out());
      assertThat(bash("bash -n '" + script + "' && echo good")).containsExactly("good");
    }
    assertThat(completed(script, "le")).containsExactly("lease");
    assertThat(completed(script, "lease", "ac")).containsExactly("acquire");
    assertThat(completed(script, "serve", "--log-f")).contains("--log-format");
    assertThat(completed(script, "serve", "--schema", "")).contains("auto", "check");
    assertThat(shell.run("completion", "fish").code()).isEqualTo(2);
  }

  private static List<String> completed(Path script, String... words) throws Exception {
    String all = "leasehold '" + String.join("' '", words) + "'";
    return bash(
        "source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE=\"${COMP_WORDS[*]}\"; "
                .formatted(script, all, words.length)
            + "COMP_POINT=${#COMP_LINE}; _complete_leasehold; printf '%s\\n' \"${COMPREPLY[@]}\"");
  }

  private static List<String> bash(String script) throws Exception {
    Process process =
        new ProcessBuilder("bash", "-c", script)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var lines = process.inputReader()) {
      List<String> printed = lines.lines().map(String::strip).toList();
      assertThat(process.waitFor()).isZero();
      return printed;
    }
  }

  /** A terminal wraps long lines; lines that were wrapped before would be torn. */
  @Test
  void sentencesAreLeftToTheTerminalToBreak() {
    for (CommandLine line : everyLine()) {
      assertThat(line.getCommandSpec().usageMessage().footer())
          .filteredOn(text -> !text.isEmpty() && !text.startsWith("  "))
          .as(line.getCommandName())
          .allMatch(text -> text.endsWith(".") || text.endsWith(":"));
    }
  }

  @Test
  void onlyServeHasAStoreOfItsOwn() {
    assertThat(help("leasehold serve").out()).contains("else of serve: sqlite:leases.db");
    assertThat(help("leasehold lease list").out().replaceAll("\\s+", " "))
        .contains("Else LEASEHOLD_STORE, else a server is asked.");
  }
}
