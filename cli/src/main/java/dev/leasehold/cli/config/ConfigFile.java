package dev.leasehold.cli.config;

import dev.leasehold.fence.IllFormedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** The settings in {@code leasehold.yaml}, with their lines. An unknown name is refused. */
final class ConfigFile {
  private static final int MAX_CHARACTERS = 1_000_000;

  private final Path file;
  private final Path folder;
  private final Map<SettingPath, GivenValue> found = new LinkedHashMap<>();

  private ConfigFile(Path file) {
    this.file = file;
    this.folder = file.toAbsolutePath().resolveSibling("");
  }

  static Map<SettingPath, GivenValue> read(Path path) {
    ConfigFile file = new ConfigFile(path);
    file.root().ifPresent(root -> file.section(root, List.of()));
    return file.found;
  }

  private Optional<Node> root() {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file.toString())
            .setCodePointLimit(MAX_CHARACTERS)
            .setAllowNonScalarKeys(true)
            .build();
    try (InputStream in = Files.newInputStream(file)) {
      return new Compose(settings).composeInputStream(in);
    } catch (NoSuchFileException e) {
      throw new IllFormedException("there is no file " + file);
    } catch (IOException e) {
      throw new IllFormedException(file + " cannot be read: " + e.getMessage());
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
      throw new IllFormedException(file + line + ": this is no YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      throw new IllFormedException(file + ": this is no YAML: " + e.getMessage());
    }
  }

  /** A section that contains only comments is a section too. */
  private void section(Node node, List<String> path) {
    if (node instanceof ScalarNode empty && isEmpty(empty)) {
      return;
    }
    if (!(node instanceof MappingNode section)) {
      String what = path.isEmpty() ? "the file" : String.join(".", path);
      throw wrong(node, what + " has settings in it, written NAME: VALUE");
    }
    Set<String> names = new HashSet<>();
    for (NodeTuple entry : section.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode name)) {
        throw wrong(entry.getKeyNode(), "a name is expected here");
      }
      if (!names.add(name.getValue())) {
        throw wrong(name, name.getValue() + " is there twice");
      }
      entry(name, entry.getValueNode(), append(path, name.getValue()));
    }
  }

  private void entry(ScalarNode name, Node value, List<String> path) {
    List<Setting> fitting =
        Stream.of(Setting.values()).filter(setting -> begins(setting.segments(), path)).toList();
    if (fitting.isEmpty()) {
      String dotted = String.join(".", path);
      String parent = dotted.substring(0, dotted.length() - name.getValue().length());
      throw wrong(name, Spelling.unknown(parent, name.getValue()));
    }
    Setting first = fitting.getFirst();
    if (first.segments().size() > path.size()) {
      section(value, path);
      return;
    }
    SettingPath settingPath =
        new SettingPath(first, first.isNamed() ? path.get(first.segments().indexOf("*")) : "");
    if (!(value instanceof ScalarNode scalar)) {
      throw wrong(
          value, settingPath.path() + " is " + first.value().expected() + ", and one value");
    }
    GivenValue given = settingPath.checked(new GivenValue(scalar.getValue(), at(scalar)));
    found.put(settingPath, new GivenValue(first.from(folder, given.text()), given.from()));
  }

  private static boolean begins(List<String> segments, List<String> path) {
    if (path.size() > segments.size()) {
      return false;
    }
    for (int i = 0; i < path.size(); i++) {
      if (!segments.get(i).equals("*") && !segments.get(i).equals(path.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEmpty(ScalarNode node) {
    return node.getValue().isEmpty()
        || node.getValue().equals("null")
        || node.getValue().equals("~");
  }

  private static List<String> append(List<String> path, String name) {
    return Stream.concat(path.stream(), Stream.of(name)).toList();
  }

  private String at(Node node) {
    return file + node.getStartMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
  }

  private IllFormedException wrong(Node node, String what) {
    return new IllFormedException(at(node) + ": " + what);
  }
}
