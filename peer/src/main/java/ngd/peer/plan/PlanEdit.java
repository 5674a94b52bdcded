package ngd.peer.plan;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;

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
    int at = plan.lines().get("sites") - 1;
    int end = at + 1;
    // The list ends where the next key of the plan begins, which is not indented.
    while (end < lines.size() && !lines.get(end).matches("[A-Za-z].*")) {
      end++;
    }
    List<String> block = new ArrayList<>(List.of("sites:"));
    sites.forEach(site -> PlanTemplate.siteText(site).lines().forEach(block::add));
    lines.subList(at, end).clear();
    lines.addAll(at, block);
    WrittenPlan moved = PlanReader.parse(String.join("\n", lines) + "\n");
    if (!moved.plan().sites().equals(sites)) {
      throw new IllegalStateException("the sites did not arrive at their new addresses");
    }
    return moved;
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
    lines.set(run - 1, "run: " + PlanTemplate.newRun());
    WrittenPlan changed = PlanReader.parse(String.join("\n", lines) + "\n");
    if (changed.plan().sites().size() != plan.plan().sites().size() + 1) {
      throw new IllegalStateException("add: the site did not arrive in the plan");
    }
    return changed;
  }
}
