package ngd.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import ngd.core.random.Streams;
import ngd.studies.engine.Engine;
import ngd.studies.engine.Replicated;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.Function2;
import scala.collection.Iterator;
import scala.concurrent.duration.Duration;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** A Spark application for the time of a study. */
final class SparkEngine implements Engine {
  private final String address;
  private final JavaSparkContext spark;

  SparkEngine(String address) {
    this.address = address;
    SparkConf conf = Application.settings(address, "ngd study");
    // A lost worker takes a task with it; a few may be lost before a study should fail.
    conf.setIfMissing("spark.task.maxFailures", "8");
    spark = Application.begin(conf, ShippedJars.paths());
  }

  @Override
  public String description() {
    return "Spark %s on %s".formatted(spark.version(), address);
  }

  /** What a task does; travels to the executors. */
  private static final class Task extends AbstractFunction1<Iterator<Integer>, double[]>
      implements java.io.Serializable {
    private static final long serialVersionUID = 1;

    private final Replicated study;
    private final long seed;

    Task(Replicated study, long seed) {
      this.study = study;
      this.seed = seed;
    }

    @Override
    public double[] apply(Iterator<Integer> only) {
      return study.replicate(Streams.of(seed).replicate(only.next()));
    }
  }

  @Override
  public void run(Replicated study, long seed, int[] replicates, Sink sink) {
    if (replicates.length == 0) {
      return;
    }
    List<Integer> indices = Arrays.stream(replicates).boxed().toList();
    JavaRDD<Integer> tasks = spark.parallelize(indices, replicates.length);
    List<Object> partitions = new ArrayList<>();
    for (int i = 0; i < replicates.length; i++) {
      partitions.add(i);
    }
    AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    Function2<Object, double[], BoxedUnit> store =
        (task, values) -> {
          // On Spark's own thread, which must not end: what goes wrong is thrown below.
          try {
            sink.finished(replicates[(Integer) task], values);
          } catch (RuntimeException failed) {
            failure.compareAndSet(null, failed);
            spark.sc().cancelAllJobs();
          }
          return BoxedUnit.UNIT;
        };
    Function0<BoxedUnit> nothing = () -> BoxedUnit.UNIT;
    SimpleFutureAction<BoxedUnit> job =
        spark
            .sc()
            .submitJob(
                tasks.rdd(),
                new Task(study, seed),
                CollectionConverters.asScala(partitions).toSeq(),
                store,
                nothing);
    await(job, failure);
  }

  private static void await(
      SimpleFutureAction<BoxedUnit> job, AtomicReference<@Nullable RuntimeException> failure) {
    job.ready(Duration.Inf(), null);
    RuntimeException own = failure.get();
    if (own != null) {
      throw own;
    }
    var outcome = job.value().get();
    if (outcome.isFailure()) {
      throw new IllegalStateException(
          "Spark could not finish the study: " + outcome.failed().get().getMessage(),
          outcome.failed().get());
    }
  }

  @Override
  public void close() {
    Application.end(spark);
  }
}
