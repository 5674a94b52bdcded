package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import ngd.app.terminal.Console;
import ngd.app.terminal.OwnProcess;
import ngd.app.terminal.RootCommand;
import ngd.core.InvalidInput;
import ngd.core.data.TableAddress;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.WrittenPlan;
import ngd.studies.engine.Machines;
import ngd.studies.engine.Meeting;

/**
 * Runs a plan with real peers, one of them killed on the way, and reports: on this machine, or on
 * those of a cluster.
 */
final class RehearsalRun {
  private final Console console;
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
   * Does it all on this machine.
   *
   * @param victim the site whose peer is killed, if one is
   */
  RehearsalReport run(Path folder, String text, List<TableAddress> data, Optional<String> victim)
      throws InterruptedException {
    RehearsalPart.Found found =
        new RehearsalPart(text, data, victim).run(Meeting.alone(), folder, this::log, _ -> {});
    return report(folder, data, List.of(found));
  }

  /** Does it on the machines of a cluster, where data lie at the same places as here. */
  RehearsalReport run(
      Machines machines,
      Path folder,
      String text,
      List<TableAddress> data,
      Optional<String> victim) {
    RehearsalPart work = new RehearsalPart(text, data, victim);
    int sites = PlanReader.parse(text).plan().federation().members().size();
    List<RehearsalPart.Found> found =
        machines
            .run(
                OwnProcess.jars(),
                List.of(RootCommand.MAIN, "federation", RehearsalPartCommand.NAME),
                sites,
                work.json())
            .stream()
            .map(part -> RehearsalPart.found(part, folder))
            .toList();
    for (RehearsalPart.Found part : found) {
      part.events().forEach(event -> log("at %s: %s".formatted(part.host(), event)));
    }
    return report(folder, data, found);
  }

  private RehearsalReport report(
      Path folder, List<TableAddress> data, List<RehearsalPart.Found> found) {
    WrittenPlan plan = found.getFirst().plan();
    Map<String, List<RehearsalReport.Moment>> timeline = new TreeMap<>();
    found.forEach(part -> timeline.putAll(part.timeline()));
    return new RehearsalReport(
        plan,
        plan.plan().names().stream().map(site -> LocalFederation.result(folder, site)).toList(),
        PooledComparison.of(plan.plan(), data),
        timeline,
        List.copyOf(events),
        (int) found.stream().map(RehearsalPart.Found::host).distinct().count());
  }

  private void log(String line) {
    events.add(line);
    console.err().println("ngd: " + line);
  }
}
