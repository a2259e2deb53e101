package dev.leasehold.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.verification.docs.Documents.Block;
import dev.leasehold.verification.processes.OwnProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each Java block in a document is a whole program; the text block after it is what it prints. */
@ExtendWith(OwnProcess.class) // programs print to the output of the whole process
class ExamplesRunTest {
  private static final Pattern CLASS = Pattern.compile("class (\\w+)");

  @TempDir Path folder;

  /** A program, and what the document says it prints; nothing, where the document is silent. */
  record Example(String document, String program, List<String> printed) {
    @Override
    public String toString() {
      return document;
    }
  }

  static Stream<Example> examples() {
    return Documents.all().stream()
        .flatMap(file -> examplesIn(file.toString(), Documents.read(file)).stream());
  }

  private static List<Example> examplesIn(String document, String text) {
    List<Example> examples = new ArrayList<>();
    List<Block> blocks = Documents.blocksIn(text);
    for (int i = 0; i < blocks.size(); i++) {
      if (blocks.get(i).language().equals("java")) {
        boolean told = i + 1 < blocks.size() && blocks.get(i + 1).language().equals("text");
        List<String> printed = told ? blocks.get(i + 1).text().lines().toList() : List.of();
        examples.add(new Example(document, blocks.get(i).text(), printed));
      }
    }
    return examples;
  }

  @Test
  void theReadmeHasAnExample() {
    assertThat(examples()).anyMatch(example -> example.document().endsWith("README.md"));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void anExampleCompilesAndPrintsWhatTheDocumentSays(Example example) throws Exception {
    assertThat(outputOf(example.program())).isEqualTo(example.printed());
  }

  @Test
  void anExampleThatDoesNotCompileIsFound() {
    assertThat(compile("class Wrong { int x = \"one\"; }")).contains("incompatible types");
  }

  private List<String> outputOf(String program) throws Exception {
    assertThat(compile(program)).isEmpty();
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      Class<?> main = loader.loadClass(nameOf(program));
      main.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private String compile(String program) {
    try {
      Path source = folder.resolve(nameOf(program) + ".java");
      Files.writeString(source, program);
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      StringWriter messages = new StringWriter();
      try (StandardJavaFileManager files =
          compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
        List<String> options =
            List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
        compiler
            .getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
            .call();
      }
      return messages.toString();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String nameOf(String program) {
    Matcher matcher = CLASS.matcher(program);
    assertThat(matcher.find()).as("a Java block is a whole class:%n%s", program).isTrue();
    return matcher.group(1);
  }
}
