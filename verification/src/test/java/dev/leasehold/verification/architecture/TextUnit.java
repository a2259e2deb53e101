package dev.leasehold.verification.architecture;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.FileObject;
import javax.tools.SimpleJavaFileObject;

/** Java source text, given to the compiler without a file. */
final class TextUnit extends SimpleJavaFileObject {
  private static final Pattern NAME =
      Pattern.compile(
          "package ([\\w.]+);.*?\\b(?:class|interface|record|enum) (\\w+)", Pattern.DOTALL);

  private static final String ROOT = "text:///";

  private final String text;

  TextUnit(String path, String text) {
    super(URI.create(ROOT + path), Kind.SOURCE);
    this.text = text;
  }

  /** Names the unit after the package and the first type in it, as javac wants for public types. */
  static TextUnit named(String text) {
    Matcher name = NAME.matcher(text);
    if (!name.find()) {
      throw new IllegalArgumentException("no package and type in: " + text);
    }
    return new TextUnit(name.group(1).replace('.', '/') + "/" + name.group(2) + ".java", text);
  }

  /** The path that a unit was given, as the compiler hands the unit back. */
  static String path(FileObject unit) {
    return unit.toUri().toString().substring(ROOT.length());
  }

  @Override
  public CharSequence getCharContent(boolean ignoreEncodingErrors) {
    return text;
  }
}
