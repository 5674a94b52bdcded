package ngd.app.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A YAML file that says what flags say: its keys are the options' names without dashes, and a flag
 * that is given too wins. Lists stand where a flag takes commas. Paths in it are relative to the
 * folder of the file, so that a file and its data can move together.
 */
public final class ConfigFile implements IDefaultValueProvider {
  /** A command that takes a configuration file. */
  public interface Reader {
    @Nullable Path configFile();
  }

  /** Options that say how to run the program, not what to do. */
  private static final Set<String> NOT_KEYS = Set.of("help", "version", "debug");

  private record Entry(String text, int line) {}

  private final Path file;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  private ConfigFile(Path file) {
    this.file = file;
  }

  static ConfigFile read(Path path, CommandSpec command) {
    ConfigFile config = new ConfigFile(path);
    String text;
    try {
      text = Files.readString(path);
    } catch (IOException e) {
      String why =
          Files.isDirectory(path)
              ? "is a folder"
              : Files.exists(path) ? e.toString() : "does not exist";
      throw new InvalidInput("%s: must be a readable YAML file; it %s".formatted(path, why), e);
    }
    Problems problems = new Problems();
    try (JsonParser parser = new YAMLMapper(new YAMLFactory()).createParser(text)) {
      config.read(parser, command, problems);
    } catch (JacksonException e) {
      var at = e.getLocation();
      problems.add(
          "%s%s: is not YAML: %s"
              .formatted(
                  path,
                  at == null ? "" : ", line " + at.getLineNr(),
                  String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("")));
    }
    problems.throwIfAny();
    return config;
  }

  private void read(JsonParser parser, CommandSpec command, Problems problems) {
    JsonToken first = parser.nextToken();
    if (first == null) {
      return;
    }
    if (first != JsonToken.START_OBJECT) {
      problems.add("%s: must hold keys and values, such as `clients: 20`".formatted(file));
      return;
    }
    Set<String> keys = new TreeSet<>();
    Syntax.options(command).forEach(option -> keys.add(option.replaceFirst("^-+", "")));
    keys.removeAll(NOT_KEYS);
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = parser.currentName();
      int line = parser.currentTokenLocation().getLineNr();
      String place = place(key, line);
      JsonToken token = parser.nextToken();
      OptionSpec option = keys.contains(key) ? command.findOption("--" + key) : null;
      if (option == null) {
        problems.add(
            "%s, line %d: unknown key `%s`%s"
                .formatted(file, line, key, NearestName.hint(key, keys)));
        parser.skipChildren();
        continue;
      }
      String value = value(parser, token, option, place, problems);
      if (value != null && entries.put(key, new Entry(value, line)) != null) {
        problems.add(place + ": may be given once");
      }
    }
  }

  /** The value as a flag would say it, or null with a problem. */
  private @Nullable String value(
      JsonParser parser, JsonToken token, OptionSpec option, String place, Problems problems) {
    boolean flag = option.arity().max() == 0;
    if (flag && token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      parser.skipChildren();
      problems.add(place + ": must be true or false");
      return null;
    }
    if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
      return resolve(parser.getString(), option);
    }
    if (token == JsonToken.START_ARRAY && option.isMultiValue()) {
      List<String> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        if (!parser.currentToken().isScalarValue()) {
          parser.skipChildren();
        }
        items.add(resolve(String.valueOf(parser.getString()), option));
      }
      return String.join(option.splitRegex(), items);
    }
    parser.skipChildren();
    problems.add(
        place
            + ": "
            + switch (token) {
              case VALUE_NULL -> "has no value";
              case START_ARRAY -> "takes one value, not a list";
              default -> "takes a value, not keys of its own";
            });
    return null;
  }

  /** A path, or a network's {@code file:}, relative to the folder of this file. */
  private String resolve(String value, OptionSpec option) {
    if (option.type() == Path.class) {
      return file.resolveSibling(value).toString();
    }
    if (option.type() == Location.class) {
      return located(value);
    }
    if (option.longestName().equals("--site") && value.contains("=")) {
      int place = value.indexOf('=') + 1;
      return value.substring(0, place) + located(value.substring(place));
    }
    return value.startsWith("file:")
        ? "file:" + file.resolveSibling(value.substring("file:".length()))
        : value;
  }

  private String located(String place) {
    return Location.isFile(place) ? file.resolveSibling(place).toString() : place;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec spec) {
    if (!(spec instanceof OptionSpec option)) {
      return null;
    }
    Entry entry = entries.get(key(option));
    return entry == null ? null : entry.text();
  }

  /** Where the file gives this option, as an error names it; null where it does not. */
  @Nullable String place(OptionSpec option) {
    Entry entry = entries.get(key(option));
    return entry == null ? null : place(key(option), entry.line());
  }

  private String place(String key, int line) {
    return "%s, line %d: %s".formatted(file, line, key);
  }

  private static String key(OptionSpec option) {
    return option.longestName().replaceFirst("^-+", "");
  }
}
