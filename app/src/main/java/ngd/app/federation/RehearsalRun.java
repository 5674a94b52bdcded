package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import ngd.app.terminal.Console;
import ngd.core.InvalidInput;
import ngd.core.data.TableAddress;
import tools.jackson.databind.JsonNode;

/** Runs a plan with real peers on this machine, one of them killed on the way, and reports. */
final class RehearsalRun {
  /** Between two looks at the peers. */
  private static final long LOOK_MS = 60;

  private final Console console;
  private final Map<String, List<RehearsalReport.Moment>> timeline = new TreeMap<>();
  private final List<String> events = new ArrayList<>();

  RehearsalRun(Console console) {
    this.console = console;
  }

  /** A folder to work in: new or empty. */
  static Path folder(Path out) {
    try {
      Files.createDirectories(out);
      try (Stream<Path> files = Files.list(out)) {
        if (files.findAny().isPresent()) {
          throw new InvalidInput("--out: must be a new or empty folder; %s is not".formatted(out));
        }
      }
      return out.toAbsolutePath().normalize();
    } catch (IOException e) {
      throw new InvalidInput(
          "--out: must be a folder that can be made; %s cannot".formatted(out), e);
    }
  }

  /**
   * Does it all.
   *
   * @param victim the site whose peer is killed, if one is
   */
  RehearsalReport run(Path folder, String text, List<TableAddress> data, Optional<String> victim)
      throws InterruptedException {
    try (LocalFederation federation = LocalFederation.make(folder, text, data)) {
      List<String> names = federation.plan().plan().names();
      log(
          "plan %s, signed; a kit, a key and a peer process for each of %s"
              .formatted(federation.plan().shortHash(), String.join(", ", names)));
      double started = federation.seconds();
      federation.start();
      if (victim.isPresent()) {
        kill(federation, victim.get(), started);
      }
      while (!federation.ended(LOOK_MS)) {
        double now = federation.seconds() - started;
        federation
            .rounds()
            .forEach(
                (site, round) ->
                    timeline
                        .computeIfAbsent(site, _ -> new ArrayList<>())
                        .add(new RehearsalReport.Moment(now, round)));
      }
      log(
          String.format(
              Locale.ROOT,
              "%s peers finished after %.1f s",
              names.size() == 2 ? "both" : "all " + names.size(),
              federation.seconds() - started));
      List<JsonNode> results = names.stream().map(federation::result).toList();
      return new RehearsalReport(
          federation.plan(),
          results,
          PooledComparison.of(federation.plan().plan(), data),
          timeline,
          List.copyOf(events));
    }
  }

  private void kill(LocalFederation federation, String victim, double started)
      throws InterruptedException {
    if (federation.killUnderWay(victim)) {
      double killed = federation.seconds();
      federation.start(victim);
      log(
          String.format(
              Locale.ROOT,
              "%s was killed (kill -9) after %.1f s, in the middle of its work, and restarted",
              victim,
              killed - started));
    } else {
      log(victim + " finished before it could be killed");
    }
  }

  private void log(String line) {
    events.add(line);
    console.err().println("ngd: " + line);
  }
}
