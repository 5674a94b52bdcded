package ngd.spark;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Begins and ends Spark applications. Settings of Spark's own, such as {@code
 * spark.executor.memory}, are taken from system properties, where spark-submit puts them too.
 */
final class Application {
  private Application() {}

  /** Settings for a master, where nobody has chosen others. */
  static SparkConf settings(String address, String name) {
    SparkConf conf = new SparkConf().setMaster(address).setAppName(name);
    conf.setIfMissing("spark.ui.enabled", "false");
    conf.set(
        "spark.executor.extraJavaOptions",
        conf.get("spark.executor.extraJavaOptions", "")
            + " --add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED");
    return conf;
  }

  /**
   * Begins one.
   *
   * @param paths jars that executors get beside those that spark-submit was given; of several with
   *     one name the first
   */
  static JavaSparkContext begin(SparkConf conf, Collection<String> paths) {
    Map<String, String> jars = new LinkedHashMap<>();
    paths.forEach(jar -> jars.putIfAbsent(name(jar), jar));
    Arrays.stream(conf.get("spark.jars", "").split(",", -1))
        .filter(jar -> !jar.isEmpty())
        .map(jar -> jar.startsWith("file:") ? URI.create(jar).getPath() : jar)
        .forEach(jar -> jars.putIfAbsent(name(jar), jar));
    conf.setJars(jars.values().toArray(String[]::new));
    return new JavaSparkContext(conf);
  }

  /**
   * Ends one. The workers of local-cluster keep a copy of all jars for each executor, which nobody
   * would look for; those of other masters are their own masters' business.
   */
  static void end(JavaSparkContext spark) {
    String home = System.getenv("SPARK_HOME");
    Path work = Path.of(home == null ? "" : home, "work", spark.sc().applicationId());
    boolean ours = home != null && spark.master().startsWith("local-cluster[");
    spark.close();
    if (ours && Files.isDirectory(work)) {
      try (Stream<Path> all = Files.walk(work)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(path);
        }
      } catch (IOException left) {
        // An executor that has not ended yet writes on; what it leaves is small.
      }
    }
  }

  private static String name(String jar) {
    return jar.substring(jar.lastIndexOf('/') + 1);
  }
}
