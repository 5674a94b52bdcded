package ngd.app.window;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import ngd.app.answer.AnswerReport;
import ngd.core.InvalidInput;
import ngd.core.question.WordsFile;
import ngd.core.run.JsonObject;
import ngd.core.run.StoredRun;
import ngd.core.run.StoredTrace;
import ngd.studies.figure.Figure;
import ngd.studies.figure.TraceFigure;
import tools.jackson.databind.JsonNode;

/** What is stored: all runs in a table, one run or study in full, several in one figure. */
final class RunApi {
  /** More than a screen has columns helps nobody. */
  private static final int MOST_POINTS = 1000;

  private static final int MOST_OVERLAID = 24;

  /** A page of a run is shown alone and may run nothing. */
  static final String CAGE =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

  private static final Map<String, String> TYPES =
      Map.of(
          "csv", "text/csv; charset=utf-8",
          "json", "application/json; charset=utf-8",
          "yaml", "text/plain; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "pdf", "application/pdf",
          "html", "text/html; charset=utf-8");

  /** What was read of a folder, and when its files had been written. */
  private record Read(long modified, JsonObject line) {}

  private final RunCatalogue catalogue;
  private final Map<String, Read> known = new ConcurrentHashMap<>();

  RunApi(RunCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  PageReply answer(PageRequest request) throws IOException {
    return switch (String.join("/", request.parts(2))) {
      case "" -> PageReply.json(table());
      case "one" -> PageReply.json(one(request.one("name")));
      case "file" ->
          file(request.one("name"), request.one("file"), !request.all("download").isEmpty());
      case "report" ->
          PageReply.bytes(
                  TYPES.get("html"),
                  AnswerReport.of(catalogue.file(request.one("name"), "result.json"))
                      .getBytes(StandardCharsets.UTF_8))
              .with("Content-Security-Policy", CAGE);
      case "forest" -> {
        Path result = catalogue.file(request.one("name"), "result.json");
        yield PageReply.drawn(
            AnswerReport.figure("result.json", StoredRun.object(result)),
            request.one("format"),
            "forest");
      }
      case "figure" -> figure(request.all("name"), request.one("format"));
      case "tags" -> {
        if (!request.method().equals("POST")) {
          yield PageReply.error(405, "tags are changed with POST");
        }
        tag(request.json());
        yield PageReply.json(new JsonObject());
      }
      default -> PageReply.error(404, "no such request about runs");
    };
  }

  private void tag(JsonNode asked) {
    List<String> tags = new ArrayList<>();
    asked.path("tags").forEach(tag -> tags.add(tag.asString()));
    catalogue.tag(NetworkApi.text(asked, "name", ""), tags);
  }

  private JsonObject table() {
    List<JsonObject> lines = new ArrayList<>();
    for (String name : catalogue.names()) {
      long modified = catalogue.modified(name);
      Read read = known.get(name);
      if (read == null || read.modified() != modified) {
        read = new Read(modified, line(name, modified));
        known.put(name, read);
      }
      List<String> tags = List.of();
      try {
        tags = catalogue.tags(name);
      } catch (InvalidInput damaged) {
        // A run is worth showing without its tags.
      }
      lines.add(new JsonObject().put("run", read.line()).put("tags", tags));
    }
    return new JsonObject().put("folder", catalogue.root().toString()).put("runs", lines);
  }

  /** A line of the table; what is damaged says why. */
  private JsonObject line(String name, long modified) {
    JsonObject line = new JsonObject().put("name", name).put("modified", modified);
    try {
      RunCatalogue.Kind kind = catalogue.kind(name);
      line.put("kind", kind.name().toLowerCase(Locale.ROOT));
      Path folder = catalogue.readable(name);
      switch (kind) {
        case RUN -> {
          StoredRun run = StoredRun.read(folder);
          JsonNode result = run.result();
          boolean pooled = !result.has("algorithm");
          int rounds = result.path("rounds").asInt(0);
          line.put("algorithm", pooled ? method(result) : text(result, "algorithm"))
              .put("formula", result.at("/model/formula").asString(null))
              .put("network", text(run.manifest().path(WordsFile.QUESTION), "network"))
              .put("clients", result.path(pooled ? "sites" : "clients").asInt(0))
              .put("alpha", text(result, "alpha"))
              .put("rounds", pooled && rounds == 0 ? null : rounds)
              .put("data", text(run.manifest().path("data"), "source"))
              .put("distance", number(result.path("distanceToGlobal")))
              .put("logMse", number(result.path("logMse")));
        }
        case STUDY -> {
          JsonNode manifest = StoredRun.object(folder.resolve("manifest.json"));
          line.put("study", text(manifest, "study")).put("state", text(manifest, "state"));
        }
        case DESCRIPTION, CHECK -> {
          JsonNode found = StoredRun.object(folder.resolve(kind.document()));
          line.put("clients", found.path("sites").isNumber() ? found.path("sites").asInt() : null)
              .put("alpha", text(found, "alpha"));
        }
        case COMPARISON ->
            line.put("algorithms", StoredTrace.read(folder.resolve("trace.csv")).size());
      }
    } catch (InvalidInput e) {
      line.put("damaged", inside(name, e));
    }
    return line;
  }

  /** How a pooled answer was found, in the words that tell it from others. */
  private static String method(JsonNode result) {
    if (result.path("penalty").isObject()) {
      return "pooled, " + text(result.path("penalty"), "shape");
    }
    Map<String, String> parts =
        Map.of(
            "mixed", "pooled, random effects",
            "curves", "survival curves",
            "imputation", "pooled, imputed",
            "weighting", "pooled, weighted",
            "epsilon", "pooled, private");
    return parts.entrySet().stream()
        .filter(part -> result.hasNonNull(part.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("pooled");
  }

  /** The complaint without the way to the folder. */
  private String inside(String name, InvalidInput e) {
    return String.valueOf(e.getMessage()).replace(catalogue.folder(name) + "/", "");
  }

  private static String text(JsonNode node, String name) {
    JsonNode found = node.path(name);
    return found.isMissingNode() || found.isNull() ? "" : found.asString(found.toString());
  }

  private static @org.jspecify.annotations.Nullable Double number(JsonNode node) {
    return node.isNumber() ? node.asDouble() : null;
  }

  private JsonObject one(String name) {
    Path folder = catalogue.folder(name);
    RunCatalogue.Kind kind;
    try {
      kind = catalogue.kind(name);
      JsonObject one =
          new JsonObject()
              .put("name", name)
              .put("kind", kind.name().toLowerCase(Locale.ROOT))
              .put("files", catalogue.files(name))
              .put("tags", catalogue.tags(name));
      return switch (kind) {
        case RUN -> {
          StoredRun run = StoredRun.read(folder);
          yield one.put("manifest", run.manifest())
              .put("result", run.result())
              .put("report", AnswerReport.fits(run.result()))
              .put("traces", run.traces().stream().map(RunApi::thinned).toList());
        }
        case DESCRIPTION, CHECK ->
            one.put("manifest", StoredRun.object(folder.resolve("manifest.json")))
                .put("result", StoredRun.object(folder.resolve(kind.document())));
        case COMPARISON -> {
          Path manifest = folder.resolve("manifest.json");
          if (Files.exists(manifest)) {
            one.put("manifest", StoredRun.object(manifest));
          }
          yield one.put(
              "traces",
              StoredTrace.read(folder.resolve("trace.csv")).stream().map(RunApi::thinned).toList());
        }
        case STUDY -> {
          one.put("manifest", StoredRun.object(folder.resolve("manifest.json")));
          yield Files.exists(folder.resolve("claims.json"))
              ? one.put("claims", StoredRun.object(folder.resolve("claims.json")))
              : one;
        }
      };
    } catch (InvalidInput e) {
      return new JsonObject()
          .put("name", name)
          .put("files", catalogue.files(name))
          .put("damaged", inside(name, e));
    }
  }

  /** A trace with as many points as a screen can show, its first and last among them. */
  private static JsonObject thinned(StoredTrace trace) {
    int step = Math.max(1, (trace.size() + MOST_POINTS - 2) / (MOST_POINTS - 1));
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < trace.size(); i += step) {
      kept.add(i);
    }
    if (kept.getLast() != trace.size() - 1) {
      kept.add(trace.size() - 1);
    }
    JsonObject values = new JsonObject();
    for (String column : trace.columns()) {
      values.put(column, kept.stream().map(i -> trace.value(i, column)).toList());
    }
    return new JsonObject()
        .put("name", trace.name())
        .put("columns", trace.columns())
        .put("rounds", kept.stream().map(trace::round).toList())
        .put("values", values);
  }

  private PageReply file(String run, String name, boolean download) throws IOException {
    byte[] bytes = Files.readAllBytes(catalogue.file(run, name));
    String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain");
    PageReply.Whole answer =
        download ? PageReply.download(type, name, bytes) : PageReply.bytes(type, bytes);
    return answer.with("Content-Security-Policy", CAGE);
  }

  private PageReply figure(List<String> names, String format) {
    if (names.isEmpty() || names.size() > MOST_OVERLAID) {
      throw new InvalidInput(
          "figure: must be of 1 to %d runs, or the curves cannot be distinguished; got %d"
              .formatted(MOST_OVERLAID, names.size()));
    }
    Figure figure = figure(traces(names));
    String file = names.size() == 1 ? names.getFirst().replace('/', '-') : "runs";
    return PageReply.drawn(figure, format, file);
  }

  private Map<String, StoredTrace> traces(List<String> names) {
    Map<String, StoredTrace> traces = new LinkedHashMap<>();
    for (String name : names) {
      for (StoredTrace trace : StoredTrace.read(catalogue.readable(name).resolve("trace.csv"))) {
        traces.put(trace.name().isEmpty() ? name : name + " " + trace.name(), trace);
      }
    }
    return traces;
  }

  private static Figure figure(Map<String, StoredTrace> traces) {
    TraceFigure figure = new TraceFigure();
    traces.forEach(figure::add);
    return figure.figure("curves over the rounds");
  }
}
