package dev.leasehold.benchmarks.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The bars show the tables, and the picture in the documents is drawn by this code. */
class BarChartTest {
  private static final Path RECORDED = Path.of("recorded-run.md");
  private static final Path PICTURE = Path.of("../docs/performance.svg");

  @Test
  void theDocumentedPictureIsDrawnFromTheRecordedRun() throws Exception {
    assertThat(Files.readString(PICTURE))
        .isEqualTo(BarChart.of(Files.readAllLines(RECORDED)).svg());
  }

  @Test
  void everyRowOfEveryTableHasItsBar() throws Exception {
    BarChart chart = BarChart.of(Files.readAllLines(RECORDED));

    assertThat(chart.groups()).hasSize(7);
    List<String> labels = new ArrayList<>();
    chart.groups().forEach(group -> group.bars().forEach(bar -> labels.add(bar.label())));
    Document drawn = parse(chart.svg());
    assertThat(texts(drawn)).containsAll(labels);
    assertThat(bars(drawn)).isEqualTo(labels.size());
  }

  @Test
  void aRateIsDrawnBeforeADurationAndTextIsEscaped() throws Exception {
    Report report = new Report();
    report.title("A < B & C");
    report.header("what", "p50 ms", "pairs a second", "durability");
    report.row("Leasehold", 1.5, 1234.0, "fsync");
    report.row("none", "", "", "");

    BarChart chart = BarChart.of(report.lines());

    assertThat(chart.groups())
        .containsExactly(
            new BarChart.Group(
                "A < B & C", "pairs a second", List.of(new BarChart.Bar("Leasehold", 1234))));
    assertThat(texts(parse(chart.svg())))
        .containsExactly("A < B & C: pairs a second", "Leasehold", "1,234");
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static List<String> texts(Document drawn) {
    NodeList nodes = drawn.getElementsByTagName("text");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  /** The background is a rectangle too. */
  private static int bars(Document drawn) {
    return drawn.getElementsByTagName("rect").getLength() - 1;
  }
}
