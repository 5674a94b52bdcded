package ngd.peer.plan;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.formula.Dictionary;

/** Changes to a plan's text that leave its comments and layout alone. */
public final class PlanEdit {
  private PlanEdit() {}

  /**
   * The plan with its sites elsewhere: the list of sites is written anew, all else stays as it is.
   *
   * @param sites the same sites with other addresses
   */
  public static WrittenPlan moved(WrittenPlan plan, List<Site> sites) {
    List<String> lines = new ArrayList<>(plan.text().lines().toList());
    replaceSites(plan, lines, sites);
    WrittenPlan moved = PlanReader.parse(String.join("\n", lines) + "\n");
    if (!moved.plan().sites().equals(sites)) {
      throw new IllegalStateException("the sites did not arrive at their new addresses");
    }
    return moved;
  }

  /**
   * The plan with another dictionary, as the next amendment of the federation.
   *
   * @param dictionary empty where the columns shall be anything again
   */
  public static WrittenPlan with(WrittenPlan plan, Dictionary dictionary) {
    List<String> lines = new ArrayList<>(plan.text().lines().toList());
    Integer line = plan.lines().get("dictionary");
    int at = line == null ? lines.size() : line - 1;
    if (line != null) {
      lines.subList(at, end(lines, at)).clear();
    }
    if (!dictionary.isEmpty()) {
      lines.add(at, "dictionary:");
      lines.addAll(at + 1, dictionary.text("  ").lines().toList());
    }
    amend(lines, plan.plan().federation());
    WrittenPlan changed = PlanReader.parse(String.join("\n", lines) + "\n");
    if (!changed.plan().federation().dictionary().equals(dictionary)) {
      throw new IllegalStateException("the dictionary did not arrive in the plan");
    }
    return changed;
  }

  /** Where a key's value ends: where the next key of the plan begins, which is not indented. */
  private static int end(List<String> lines, int at) {
    int end = at + 1;
    while (end < lines.size() && !lines.get(end).matches("[A-Za-z].*")) {
      end++;
    }
    return end;
  }

  /** Writes the list of sites anew. */
  private static void replaceSites(WrittenPlan plan, List<String> lines, List<Site> sites) {
    int at = plan.lines().get("sites") - 1;
    int end = end(lines, at);
    List<String> block = new ArrayList<>(List.of("sites:"));
    sites.forEach(site -> PlanTemplate.siteText(site).lines().forEach(block::add));
    lines.subList(at, end).clear();
    lines.addAll(at, block);
  }

  /**
   * The plan without one of its sites, as the next amendment of the federation.
   *
   * @param network another network for those who stay; empty where the present one serves
   */
  public static WrittenPlan without(WrittenPlan plan, String site, String network) {
    return without(plan, site, network, PlanTemplate.newRun());
  }

  /**
   * The same.
   *
   * @param run the word of the new run
   */
  public static WrittenPlan without(WrittenPlan plan, String site, String network, String run) {
    plan.plan().client(site);
    Federation federation = plan.plan().federation();
    if (federation.listening() instanceof Listening.Stated || federation.askers().contains(site)) {
      throw new InvalidInput(
          "leave: this plan names `%s` in other lines too (`hears`, `askers`): remove it from `sites` and there by hand, with a new word after `run` and `amendment: %d`"
              .formatted(site, federation.amendment() + 1));
    }
    List<String> lines = new ArrayList<>(plan.text().lines().toList());
    replaceSites(
        plan, lines, plan.plan().sites().stream().filter(one -> !one.name().equals(site)).toList());
    if (!network.isEmpty()) {
      lines.replaceAll(line -> line.startsWith("network:") ? "network: " + network : line);
    }
    amend(lines, federation, run);
    return PlanReader.parse(String.join("\n", lines) + "\n");
  }

  /** Draws a new word for the run, and counts the change. */
  private static void amend(List<String> lines, Federation federation) {
    amend(lines, federation, PlanTemplate.newRun());
  }

  private static void amend(List<String> lines, Federation federation, String run) {
    lines.removeIf(line -> line.startsWith("amendment:"));
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("run:")) {
        lines.set(i, "run: " + run);
        lines.add(i + 1, "amendment: " + (federation.amendment() + 1));
        return;
      }
    }
    throw new InvalidInput(
        "run: must stand on a line of its own, as `ngd federation new` writes it");
  }

  /** The plan with one site more, as a new run. */
  public static WrittenPlan add(WrittenPlan plan, Site site) {
    if (plan.plan().names().contains(site.name())) {
      throw new InvalidInput("add: `%s` is a site of the plan already".formatted(site.name()));
    }
    if (plan.plan().federation().listening() instanceof Listening.Stated) {
      throw new InvalidInput(
          "add: this plan says site by site who hears whom: add `%s` under `sites` and `hears` by hand, with a new word after `run`"
              .formatted(site.name()));
    }
    List<String> lines = new ArrayList<>(plan.text().lines().toList());
    String last = plan.plan().sites().getLast().name();
    int at = plan.place("site: " + last);
    // A site's block ends where the next line that is neither blank, nor comment, nor deeper
    // begins.
    int end = at;
    while (end < lines.size() && lines.get(end).matches("\\s{3,}\\S.*")) {
      end++;
    }
    String before = lines.get(at - 1);
    int run = plan.place("run: " + plan.plan().run());
    if (!before.matches("\\s*- .*") || !lines.get(run - 1).startsWith("run:")) {
      throw new InvalidInput(
          "add: the sites must stand one below the other, each after `- `, as `ngd federation new` writes them; add `%s` by hand, with a new word after `run`"
              .formatted(site.name()));
    }
    String indent = before.substring(0, before.indexOf('-'));
    String block = PlanTemplate.siteText(site).replaceAll("(?m)^  ", indent);
    lines.add(end, block.stripTrailing());
    amend(lines, plan.plan().federation());
    WrittenPlan changed = PlanReader.parse(String.join("\n", lines) + "\n");
    if (changed.plan().sites().size() != plan.plan().sites().size() + 1) {
      throw new IllegalStateException("add: the site did not arrive in the plan");
    }
    return changed;
  }
}
