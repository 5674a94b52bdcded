package ngd.deep;

import java.util.ArrayList;
import java.util.List;
import ngd.core.run.JsonObject;
import ngd.core.run.Manifest;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingFailed;
import ngd.core.training.TrainingQuestion;
import ngd.core.training.TrainingResult;
import ngd.deep.data.Samples;
import ngd.deep.model.Safetensors;
import org.jspecify.annotations.Nullable;

/** Trains on libtorch. */
public final class LibtorchTrainer implements Trainer {
  /** Found by its service file. */
  public LibtorchTrainer() {}

  @Override
  public TrainingResult train(TrainingQuestion plan, Watch watch) {
    @Nullable TrainingFolder folder =
        plan.out() == null
            ? null
            : plan.resume() ? TrainingFolder.stopped(plan.out()) : TrainingFolder.fresh(plan.out());
    try (Training training = Training.prepare(plan, watch)) {
      tellWhatIsMissing(training, watch);
      if (plan.algorithm().batch() > training.longest()) {
        watch.warning(
            "a batch of %d holds all samples of every client; the largest client has %d"
                .formatted(plan.algorithm().batch(), training.longest()));
      }
      return run(training, folder, watch);
    } catch (RuntimeException failed) {
      throw inWords(failed, plan);
    }
  }

  /**
   * Failures of libtorch come as bare runtime exceptions with the native stack in their message.
   */
  private static RuntimeException inWords(RuntimeException failed, TrainingQuestion plan) {
    String message = failed.getMessage();
    if (failed.getClass() != RuntimeException.class || message == null) {
      return failed;
    }
    boolean memory = message.contains("out of memory") || message.contains("can't allocate memory");
    return new TrainingFailed(
        "%s: libtorch: %s%s"
            .formatted(
                plan.device(),
                message.lines().findFirst().orElse(""),
                memory ? " A smaller --batch or fewer --clients need less memory." : ""),
        failed);
  }

  private static void tellWhatIsMissing(Training training, Watch watch) {
    Safetensors.@Nullable Found found = training.given();
    if (found == null) {
      return;
    }
    int weights = training.net().weights().size();
    int statistics = training.net().statistics().size();
    if (found.weights() < weights) {
      watch.warning(
          "%s holds %d of the %d weights; the others start at random"
              .formatted(training.plan().start(), found.weights(), weights));
    }
    if (found.statistics() < statistics) {
      watch.warning(
          "%s holds %d of the %d running statistics; the others start at mean 0 and variance 1"
              .formatted(training.plan().start(), found.statistics(), statistics));
    }
  }

  private static TrainingResult run(
      Training training, @Nullable TrainingFolder folder, Watch watch) {
    TrainingQuestion plan = training.plan();
    Samples train = training.data().train();
    String request =
        new JsonObject()
            .putAll(plan.question().json())
            .put("samples sha256", train.hash())
            .put("validation samples sha256", training.data().validation().hash())
            .toString();
    List<TrainingResult.Point> points =
        plan.resume() && folder != null
            ? new ArrayList<>(folder.restore(request, training))
            : new ArrayList<>();
    if (plan.resume()) {
      watch.kept(training.round());
    }
    watch.round(training.round(), plan.rounds());
    if (points.isEmpty()) {
      evaluate(training, points, watch);
    }
    int first = training.round();
    long nanos = 0;
    while (training.round() < plan.rounds()) {
      int next = next(training.round(), plan);
      long start = System.nanoTime();
      training.advance(next - training.round(), () -> watch.round(training.round(), plan.rounds()));
      nanos += System.nanoTime() - start;
      if (next == plan.rounds() || next % plan.evaluateEvery() == 0) {
        evaluate(training, points, watch);
      }
      if (folder != null
          && plan.checkpointEvery() > 0
          && next % plan.checkpointEvery() == 0
          && next < plan.rounds()) {
        folder.checkpoint(request, points, training);
        watch.kept(next);
      }
    }
    TrainingResult result =
        result(training, points, nanos / 1e9 / Math.max(1, plan.rounds() - first));
    if (folder != null) {
      Manifest manifest =
          new Manifest(
              "train", version(), plan.question(), train.source(), train.size(), train.hash());
      folder.finish(
          manifest,
          training,
          points,
          result.json().put("classes", train.classNames()).put("features", train.features()));
    }
    return result;
  }

  /** The next round after which something is done. */
  private static int next(int round, TrainingQuestion plan) {
    int next = Math.min(plan.rounds(), (round / plan.evaluateEvery() + 1) * plan.evaluateEvery());
    return plan.checkpointEvery() > 0
        ? Math.min(next, (round / plan.checkpointEvery() + 1) * plan.checkpointEvery())
        : next;
  }

  private static void evaluate(Training training, List<TrainingResult.Point> points, Watch watch) {
    TrainingResult.Point point =
        new TrainingResult.Point(training.round(), training.epoch(), training.errors());
    points.add(point);
    watch.evaluated(point);
  }

  private static TrainingResult result(
      Training training, List<TrainingResult.Point> points, double seconds) {
    return new TrainingResult(
        training.net().parameters(),
        training.clients(),
        training.data().train().size(),
        training.data().train().source(),
        training.data().train().hash(),
        points,
        seconds,
        training.passes());
  }

  private static String version() {
    String version = LibtorchTrainer.class.getPackage().getImplementationVersion();
    return version == null ? "(built from sources)" : version;
  }
}
