package ngd.app.federation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ngd.app.window.Federations;
import ngd.app.window.Membership;
import ngd.core.run.JsonObject;
import ngd.peer.plan.Exposure;
import ngd.peer.plan.PlanReader;
import tools.jackson.databind.json.JsonMapper;

/** The window's view of federations, by the code of {@code ngd federation} and {@code ngd peer}. */
public final class WindowFederations implements Federations {
  private final List<Membership> members = new ArrayList<>();

  /**
   * The members of some folders.
   *
   * @param folders each with one key and a kit; refused where one has not
   */
  public WindowFederations(List<Path> folders) {
    for (Path folder : folders) {
      var _ = Members.open(folder, null);
      members.add(new WindowMember(folder));
    }
  }

  @Override
  public List<Membership> members() {
    return List.copyOf(members);
  }

  @Override
  public JsonObject exposure(Sketch sketch, Scope scope) {
    return FederationExposureCommand.json(
        Exposure.of(PlanReader.parse(text(sketch)).plan(), options(scope)));
  }

  static Exposure.Options options(Scope scope) {
    return new Exposure.Options(
        scope.coalition(), Optional.empty(), scope.coefficients(), scope.totals());
  }

  /** The sketch as the text of a plan, so that what refuses plans refuses it too. */
  private static String text(Sketch sketch) {
    int sites = sketch.hears().size();
    StringBuilder text = new StringBuilder("federation: sketch\nrun: 0123456789abcdef\nsites:\n");
    for (int m = 0; m < sites; m++) {
      text.append("  - {name: client-%d, address: \"client-%d.example:7400\"}\n".formatted(m, m));
    }
    text.append("hears:\n");
    IntStream.range(0, sites)
        .forEach(
            m ->
                text.append(
                    "  client-%d: [%s]\n"
                        .formatted(
                            m,
                            sketch.hears().get(m).stream()
                                .map(k -> "client-" + k)
                                .collect(Collectors.joining(", ")))));
    text.append("weights: %s\n".formatted(quoted(sketch.weights())));
    sketch
        .question()
        .forEach((key, words) -> text.append("%s: %s\n".formatted(quoted(key), quoted(words))));
    return text.toString();
  }

  /** A word of JSON is one of YAML. */
  private static String quoted(String word) {
    return JsonMapper.shared().writeValueAsString(word);
  }
}
