package ngd.spark;

import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.studies.engine.Machines;
import ngd.studies.engine.Meeting;
import ngd.studies.engine.PartFailed;
import ngd.studies.engine.PartProcess;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.SparkFiles;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * Work whose parts run at the same time: the tasks of one barrier stage, each with a process of its
 * own beside the executor, made of the jars that Spark has brought there.
 */
final class SparkMachines implements Machines {
  /** How long the number of executors must have stayed the same to be all that there are. */
  private static final int SETTLED_MS = 2000;

  private static final int LOOK_MS = 100;
  private static final int PATIENCE_MS = 120_000;

  /** What a failed part said, in Spark's long account of it. */
  private static final Pattern SAID =
      Pattern.compile(Pattern.quote(PartFailed.class.getName()) + ": ([^\n]*)");

  private final String address;
  private final SparkConf conf;

  SparkMachines(String address) {
    this.address = address;
    conf = Application.settings(address, "ngd rehearsal");
    if (conf.getBoolean("spark.dynamicAllocation.enabled", false)) {
      throw new InvalidInput(
          "spark.dynamicAllocation.enabled: must be false for parts that run at the same time; it is true");
    }
    // A part that failed would fail again, and the others have gone on from what it said.
    conf.setIfMissing("spark.stage.maxConsecutiveAttempts", "1");
    conf.setIfMissing("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s");
  }

  @Override
  public String description() {
    return "Spark on " + address;
  }

  @Override
  public List<String> run(List<Path> jars, List<String> program, int most, String work) {
    List<String> shipped = new ArrayList<>(ShippedJars.paths());
    for (Path jar : jars) {
      shipped.add((Files.isDirectory(jar) ? ShippedJars.packed(jar) : jar).toString());
    }
    JavaSparkContext spark = Application.begin(conf, shipped);
    try {
      int parts = Math.min(most, cores(spark));
      List<Integer> indices = IntStream.range(0, parts).boxed().toList();
      ClassTag<String> texts = ClassTag$.MODULE$.apply(String.class);
      return JavaRDD.fromRDD(
              spark
                  .parallelize(indices, parts)
                  .rdd()
                  .barrier()
                  .mapPartitions(new Part(program, work), false, texts),
              texts)
          .collect();
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      // Scala declares nothing: it is what the stage ended with.
      throw said(failed);
    } finally {
      Application.end(spark);
    }
  }

  private static WorkFailed said(Exception failed) {
    if (!(failed instanceof SparkException)) {
      return new WorkFailed("Spark could not run all parts: " + failed.getMessage(), failed);
    }
    Matcher said = SAID.matcher(String.valueOf(failed.getMessage()));
    return new WorkFailed(
        said.find() ? said.group(1) : "Spark could not run all parts: " + failed.getMessage(),
        failed);
  }

  /** The cores of the executors, once all that were asked for are there or no more come. */
  private static int cores(JavaSparkContext spark) {
    int asked = spark.getConf().getInt("spark.executor.instances", Integer.MAX_VALUE);
    int before = 0;
    long since = System.nanoTime();
    long begun = since;
    while (true) {
      int now = spark.sc().getExecutorMemoryStatus().size();
      // The driver is one of them, and the only one where the master is local.
      int executors = spark.isLocal() ? now : now - 1;
      if (executors != before) {
        before = executors;
        since = System.nanoTime();
      }
      boolean settled = executors > 0 && milliseconds(since) > SETTLED_MS;
      if (spark.isLocal() || executors >= asked || settled) {
        return Math.max(1, spark.defaultParallelism());
      }
      if (milliseconds(begun) > PATIENCE_MS) {
        throw new WorkFailed(
            "Spark has given no executor within %d s: the master has no worker with enough free memory or cores"
                .formatted(PATIENCE_MS / 1000));
      }
      try {
        Thread.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new WorkFailed("interrupted", e);
      }
    }
  }

  private static long milliseconds(long since) {
    return (System.nanoTime() - since) / 1_000_000;
  }

  @Override
  public void close() {}

  /** What a task does; travels to the executors. */
  private static final class Part extends AbstractFunction1<Iterator<Integer>, Iterator<String>>
      implements Serializable {
    private static final long serialVersionUID = 1;

    private final ArrayList<String> program;
    private final String work;

    Part(List<String> program, String work) {
      this.program = new ArrayList<>(program);
      this.work = work;
    }

    @Override
    public Iterator<String> apply(Iterator<Integer> only) {
      BarrierTaskContext context = BarrierTaskContext.get();
      Path jars = Path.of(SparkFiles.getRootDirectory());
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of(
              "--enable-native-access=ALL-UNNAMED",
              "--sun-misc-unsafe-memory-access=allow",
              "-cp",
              jars.resolve("*").toString()));
      command.addAll(program);
      String found =
          PartProcess.run(command, jars, new Barrier(context), work, context::isInterrupted);
      return CollectionConverters.asScala(Stream.of(found).iterator());
    }
  }

  /** The tasks of the stage, as a meeting. */
  private record Barrier(BarrierTaskContext context) implements Meeting {
    @Override
    public int part() {
      return context.partitionId();
    }

    @Override
    public int parts() {
      return context.getTaskInfos().length;
    }

    @Override
    public String host() {
      String place = context.getTaskInfos()[part()].address();
      int colon = place.lastIndexOf(':');
      return colon < 0 || place.endsWith("]") ? place : place.substring(0, colon);
    }

    @Override
    public List<String> gather(String said) {
      return List.of(context.allGather(said));
    }
  }
}
