package ngd.studies.figure;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a figure can be written as. */
public enum FigureFormat {
  SVG("image/svg+xml"),
  PNG("image/png"),
  PDF("application/pdf");

  private final String type;

  FigureFormat(String type) {
    this.type = type;
  }

  /** The ending of files. */
  public String ending() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a browser calls it. */
  public String type() {
    return type;
  }

  /** The format of a file by its ending, or of this name. */
  public static Optional<FigureFormat> of(String nameOrFile) {
    String word = nameOrFile.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(one -> word.equals(one.ending()) || word.endsWith("." + one.ending()))
        .findFirst();
  }

  /** All endings with a sign before each: {@code .svg, .png or .pdf}. */
  public static String endings(String before) {
    return Arrays.stream(values())
        .map(one -> before + one.ending())
        .collect(Collectors.joining(", "))
        .replaceFirst(", ([^,]*)$", " or $1");
  }

  /**
   * The bytes of a figure.
   *
   * @param name sets its identifiers apart from those of other figures on the same page
   */
  public byte[] bytes(Figure figure, String name) {
    return switch (this) {
      case SVG -> figure.svg(name).getBytes(StandardCharsets.UTF_8);
      case PNG -> figure.png();
      case PDF -> figure.pdf();
    };
  }
}
