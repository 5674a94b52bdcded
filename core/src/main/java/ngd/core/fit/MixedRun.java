package ngd.core.fit;

import java.util.ArrayList;
import java.util.List;
import ngd.core.answer.MixedAnswer;
import ngd.core.formula.Design;
import ngd.core.inference.FitProgress;
import ngd.core.inference.MixedFit;
import ngd.core.inference.RandomPart;
import ngd.core.question.PooledKeys;
import ngd.core.simulation.Simulation;

/**
 * A model with random terms over simulated clients or rehearsed sites.
 *
 * @param threads how many to use; the results are the same for any number
 */
public record MixedRun(FitSetup setup, int threads) {
  /** Runs it, saying how it goes. */
  public MixedAnswer run(FitProgress progress) {
    Sample.OfSites sample = (Sample.OfSites) setup.sample();
    Design design = sample.prepared().design();
    MixedFit fit = PooledKeys.mixed(setup.question(), sample.features(), RandomPart.of(design));
    Simulation simulation =
        new Simulation(
            setup.network().schedule(),
            setup.regression().over(sample.shards()),
            setup.streams(),
            threads);
    List<String> folders = folders(sample.prepared().sites().names());
    return PooledRun.found(
        sample,
        () ->
            simulation.within(
                (world, _) -> {
                  var estimate = fit.run(world, progress);
                  progress.begin(FitProgress.Stage.INFERENCE);
                  return MixedAnswer.of(
                      estimate,
                      setup.question(),
                      sample.describe(setup.question()),
                      sample.rowsUsed(),
                      folders);
                }));
  }

  /** Where a rehearsal writes what sites would keep: a folder of each site's own. */
  private static List<String> folders(List<String> sites) {
    List<String> folders = new ArrayList<>();
    for (String site : sites) {
      String name = site.replaceAll("[^\\p{L}\\p{N}._-]", "_").replaceFirst("^\\.", "_");
      String folder = "sites/" + name + "/";
      folders.add(folders.contains(folder) ? "sites/" + name + "-" + folders.size() + "/" : folder);
    }
    return folders;
  }
}
