package ngd.app.window;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files of the page: ours, and those of browser libraries out of their jars. Only names listed
 * here or of plain letters are looked for, so no request reaches another file.
 */
final class PageFiles {
  private static final Pattern OWN = Pattern.compile("[a-z][a-z-]*\\.(html|js|css|svg)");
  private static final String CHART = "META-INF/resources/webjars/chart.js/4.5.1/dist/";
  private static final String INTER = "META-INF/resources/_static/inter/5.2.5/files/inter-";

  /** The files of others, by the name under {@code lib/}. */
  private static final Map<String, String> LIBRARIES =
      Map.of(
          "chart.js", CHART + "chart.umd.js",
          "inter-400.woff2", INTER + "latin-400-normal.woff2",
          "inter-500.woff2", INTER + "latin-500-normal.woff2",
          "inter-600.woff2", INTER + "latin-600-normal.woff2",
          "inter-greek-400.woff2", INTER + "greek-400-normal.woff2",
          "inter-greek-600.woff2", INTER + "greek-600-normal.woff2");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "woff2", "font/woff2");

  /** A folder to read our own files from instead, so that they can be tried without a build. */
  private final Optional<Path> sources =
      Optional.ofNullable(System.getProperty("ngd.window.sources")).map(Path::of);

  Optional<PageReply.Whole> file(String path) {
    String name = path.equals("/") ? "index.html" : path.substring(1);
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      return Optional.empty();
    }
    if (name.startsWith("lib/")) {
      return Optional.ofNullable(LIBRARIES.get(name.substring("lib/".length())))
          .flatMap(resource -> resource(getClass().getClassLoader().getResourceAsStream(resource)))
          .map(
              bytes ->
                  PageReply.bytes(type, bytes).with("Cache-Control", "private, max-age=86400"));
    }
    if (!OWN.matcher(name).matches()) {
      return Optional.empty();
    }
    return own(name).map(bytes -> PageReply.bytes(type, bytes).with("Cache-Control", "no-cache"));
  }

  private Optional<byte[]> own(String name) {
    if (sources.isPresent()) {
      try {
        return Optional.of(Files.readAllBytes(sources.get().resolve(name)));
      } catch (IOException e) {
        return Optional.empty();
      }
    }
    return resource(getClass().getResourceAsStream(name));
  }

  private static Optional<byte[]> resource(@org.jspecify.annotations.Nullable InputStream stream) {
    if (stream == null) {
      return Optional.empty();
    }
    try (stream) {
      return Optional.of(stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
