package ngd.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;
import ngd.app.federation.LocalFederation;
import ngd.core.data.TableAddress;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;

/** A standing federation for the window's tests, in which every site hears all others. */
final class StandingSites {
  private StandingSites() {}

  /**
   * Peers that are yet to be started, and then wait for questions.
   *
   * @param place a new folder, with each site's table as {@code NAME.csv}
   * @param tables the tables' texts by the sites' names
   * @param policy what a site's {@code site.yaml} says
   */
  static LocalFederation make(
      Path place, SequencedMap<String, String> tables, UnaryOperator<String> policy)
      throws IOException {
    Files.createDirectories(place);
    List<TableAddress> data = new ArrayList<>();
    List<Site> sites = new ArrayList<>();
    for (var table : tables.entrySet()) {
      Path file = Files.writeString(place.resolve(table.getKey() + ".csv"), table.getValue());
      data.add(TableAddress.of(table.getKey(), file.toString()));
      sites.add(new Site(table.getKey(), table.getKey() + ".example.org", 7401 + sites.size()));
    }
    LocalFederation made =
        LocalFederation.make(
            place,
            new PlanTemplate()
                .with("federation", "hospitals")
                .with("network", "complete")
                .text(sites),
            data);
    for (String site : tables.keySet()) {
      Files.writeString(made.site(site).resolve("site.yaml"), policy.apply(site));
    }
    return made;
  }
}
