package ngd.peer.plan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import ngd.core.NearestName;
import ngd.core.file.YamlTree;
import org.jspecify.annotations.Nullable;

/** Reads who takes part in a plan, and who hears whom. */
final class SitesReader {
  private static final List<String> SITE_KEYS = List.of("name", "address");

  /** More sites than one file and one authority can sensibly serve. */
  private static final int MOST_SITES = 10_000;

  private final PlanFields fields;

  SitesReader(PlanFields fields) {
    this.fields = fields;
  }

  List<Site> sites() {
    YamlTree.Entry entry = fields.entry("sites");
    if (entry == null) {
      fields.add(1, "`sites` must be given, a list of name and address");
      return List.of();
    }
    if (!(entry.value() instanceof YamlTree.Items(_, List<YamlTree> items)) || items.isEmpty()) {
      fields.add(entry.line(), "`sites` must be a list, each with its name and address");
      return List.of();
    }
    if (items.size() > MOST_SITES) {
      fields.add(entry.line(), "at most %d sites".formatted(MOST_SITES));
      return List.of();
    }
    List<Site> sites = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    Set<String> addresses = new LinkedHashSet<>();
    for (YamlTree item : items) {
      Site site = site(item);
      if (site == null) {
        continue;
      }
      if (!names.add(site.name())) {
        fields.add(item.line(), "site `%s` may be named once".formatted(site.name()));
      }
      if (!addresses.add(site.address())) {
        fields.add(item.line(), "address `%s` is another site's already".formatted(site.address()));
      }
      fields.stands("site " + site.name(), item.line());
      sites.add(site);
    }
    return sites;
  }

  private @Nullable Site site(YamlTree item) {
    if (!(item instanceof YamlTree.Keys(int line, Map<String, YamlTree.Entry> keys))) {
      fields.add(item.line(), "a site has a `name` and an `address`");
      return null;
    }
    keys.forEach(
        (key, entry) -> {
          if (!SITE_KEYS.contains(key)) {
            fields.add(
                entry.line(),
                "unknown key `%s`%s; a site has name and address"
                    .formatted(key, NearestName.hint(key, SITE_KEYS)));
          }
        });
    String name = fields.text("name", keys.get("name"), line);
    String address = fields.text("address", keys.get("address"), line);
    return name == null || address == null
        ? null
        : fields.attempt(line, () -> Site.of(Site.requireName(name), address));
  }

  @Nullable Listening listening(List<Site> sites) {
    YamlTree.Entry network = fields.entry("network");
    YamlTree.Entry hears = fields.entry("hears");
    if ((network == null) == (hears == null)) {
      if (network == null || hears == null) {
        fields.add(
            1, "who hears whom must be given: `network: ring:1`, or `hears` with each site's list");
      } else {
        fields.add(hears.line(), "either `network` or `hears`, not both");
      }
      return null;
    }
    if (network != null) {
      return fields.required("network", "such as ring:1", Listening.Named::new);
    }
    return stated(sites, hears);
  }

  private @Nullable Listening stated(List<Site> sites, YamlTree.Entry hears) {
    if (!(hears.value() instanceof YamlTree.Keys(_, Map<String, YamlTree.Entry> entries))) {
      fields.add(hears.line(), "`hears` must have a list for each site");
      return null;
    }
    List<String> names = sites.stream().map(Site::name).toList();
    List<List<Integer>> links = new ArrayList<>();
    names.forEach(_ -> links.add(new ArrayList<>()));
    entries.forEach(
        (name, entry) -> {
          fields.stands("hears " + name, entry.line());
          int m = place(names, name, entry.line());
          if (!(entry.value() instanceof YamlTree.Items(_, List<YamlTree> heard))) {
            fields.add(entry.line(), "`%s` must hear a list of sites".formatted(name));
            return;
          }
          for (YamlTree item : heard) {
            int k =
                item instanceof YamlTree.Scalar(int line, String other)
                    ? place(names, other, line)
                    : -1;
            if (m >= 0 && k >= 0) {
              links.get(m).add(k);
            } else if (!(item instanceof YamlTree.Scalar)) {
              fields.add(item.line(), "a site is heard by its name");
            }
          }
        });
    return new Listening.Stated(links);
  }

  private int place(List<String> names, String name, int line) {
    int place = names.indexOf(name);
    if (place < 0) {
      fields.add(
          line, "`%s` is not a site of this plan%s".formatted(name, NearestName.hint(name, names)));
    }
    return place;
  }
}
