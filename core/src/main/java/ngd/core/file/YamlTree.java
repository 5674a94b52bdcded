package ngd.core.file;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** What a YAML text says, every value with its line. */
public sealed interface YamlTree {
  int line();

  /** A word or number, or null written out. */
  record Scalar(int line, String text) implements YamlTree {}

  record Items(int line, List<YamlTree> items) implements YamlTree {}

  record Keys(int line, Map<String, Entry> entries) implements YamlTree {}

  /**
   * @param line where the key stands
   */
  record Entry(int line, YamlTree value) {}

  /**
   * Hands a text out in pieces smaller than the scanner's buffer. Where a character of two halves
   * straddles the end of a full buffer, the scanner reads past it and falls over.
   */
  final class Sips extends StringReader {
    private static final int MOST = 512;

    Sips(String text) {
      super(text);
    }

    @Override
    public int read(char[] into, int from, int count) throws IOException {
      return super.read(into, from, Math.min(MOST, count));
    }
  }

  /** What people write is a page or two; nothing of this size is. */
  int LARGEST = 1 << 20;

  /** Columns of a dictionary have keys, keys have lists; nothing that people write lies deeper. */
  int DEEPEST = 5;

  /** A text in quotes, as YAML takes it on one line. */
  static String quoted(String text) {
    return JsonMapper.shared().writeValueAsString(text);
  }

  /** The text of a file; refuses what is not text. */
  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      String why =
          Files.isDirectory(file)
              ? "is a folder"
              : e instanceof CharacterCodingException
                  ? "is not UTF-8 text"
                  : Files.exists(file) ? "cannot be read: " + e.getMessage() : "does not exist";
      throw new InvalidInput("%s: must be a YAML file; it %s".formatted(file, why), e);
    }
  }

  /**
   * Reads one document.
   *
   * @param problems takes what is wrong and can be read past
   */
  static YamlTree read(String text, List<String> problems) {
    if (text.length() > LARGEST) {
      throw new InvalidInput(
          "must have at most %d characters; it has %d".formatted(LARGEST, text.length()));
    }
    try (JsonParser parser = new YAMLMapper(new YAMLFactory()).createParser(new Sips(text))) {
      JsonToken first = parser.nextToken();
      YamlTree tree = first == null ? new Scalar(1, "") : value(parser, first, DEEPEST, problems);
      if (parser.nextToken() != null) {
        problems.add("line %d: must be one document; another begins".formatted(line(parser)));
      }
      return tree;
    } catch (JacksonException e) {
      throw new InvalidInput(notYaml(e), e);
    }
  }

  /**
   * What is wrong where. The scanner's words name its line, among quotes from the text, which are
   * indented; the parser's own place is that of the token before.
   */
  private static String notYaml(JacksonException e) {
    String words = String.valueOf(e.getOriginalMessage());
    Matcher place = Pattern.compile("line (\\d+), column").matcher(words);
    var before = e.getLocation();
    String line =
        place.find() ? place.group(1) : before == null ? "" : Integer.toString(before.getLineNr());
    return "%sis not YAML: %s"
        .formatted(
            line.isEmpty() ? "" : "line %s: ".formatted(line),
            words
                .lines()
                .filter(one -> !one.startsWith(" ") && !one.isBlank())
                .collect(Collectors.joining(": ")));
  }

  private static int line(JsonParser parser) {
    return parser.currentTokenLocation().getLineNr();
  }

  private static YamlTree value(
      JsonParser parser, JsonToken token, int depth, List<String> problems) {
    int line = line(parser);
    if (depth == 0) {
      throw new InvalidInput(
          "line %d: must be nested at most %d levels deep".formatted(line, DEEPEST));
    }
    if (token == JsonToken.START_OBJECT) {
      Map<String, Entry> entries = new LinkedHashMap<>();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String key = parser.currentName();
        int at = line(parser);
        Entry before =
            entries.put(key, new Entry(at, value(parser, parser.nextToken(), depth - 1, problems)));
        if (before != null) {
          problems.add(
              "line %d: `%s` may be given once; line %d gives it too"
                  .formatted(at, key, before.line()));
        }
      }
      return new Keys(line, entries);
    }
    if (token == JsonToken.START_ARRAY) {
      List<YamlTree> items = new ArrayList<>();
      for (JsonToken next = parser.nextToken();
          next != JsonToken.END_ARRAY;
          next = parser.nextToken()) {
        items.add(value(parser, next, depth - 1, problems));
      }
      return new Items(line, items);
    }
    return new Scalar(line, token == JsonToken.VALUE_NULL ? "" : parser.getString());
  }
}
