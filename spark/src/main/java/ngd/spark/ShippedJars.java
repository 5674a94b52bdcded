package ngd.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The jars that executors need and a Spark installation does not have: ours, and the libraries that
 * a replicate calls. A folder of classes, as a build leaves it, is packed first.
 */
final class ShippedJars {
  /** One class of each jar. */
  private static final List<String> MARKERS =
      List.of(
          "ngd.core.InvalidInput",
          "ngd.studies.Study",
          "ngd.spark.SparkEngine",
          "org.apache.commons.rng.UniformRandomProvider",
          "org.apache.commons.rng.core.BaseProvider",
          "org.apache.commons.rng.simple.RandomSource",
          "org.apache.commons.rng.sampling.PermutationSampler",
          "org.ejml.data.Matrix",
          "org.ejml.dense.row.CommonOps_DDRM",
          "org.netlib.arpack.Dnaupd",
          "ch.randelshofer.fastdoubleparser.JavaDoubleParser",
          "de.siegmar.fastcsv.reader.CsvReader",
          "org.jspecify.annotations.NullMarked");

  private ShippedJars() {}

  static List<String> paths() {
    Set<Path> places = new LinkedHashSet<>();
    for (String marker : MARKERS) {
      try {
        var source =
            Class.forName(marker, false, ShippedJars.class.getClassLoader())
                .getProtectionDomain()
                .getCodeSource();
        if (source != null) {
          places.add(Path.of(source.getLocation().toURI()));
        }
      } catch (ClassNotFoundException absent) {
        // A library that is not here is not called either.
      } catch (URISyntaxException malformed) {
        throw new IllegalStateException(malformed);
      }
    }
    List<String> jars = new ArrayList<>();
    for (Path place : places) {
      jars.add((Files.isDirectory(place) ? packed(place) : place).toString());
    }
    return jars;
  }

  /** A folder of classes as a jar, for as long as this process lives. */
  static Path packed(Path classes) {
    try {
      Path jar = Files.createTempFile("ngd-classes-", ".jar");
      jar.toFile().deleteOnExit();
      try (OutputStream bytes = Files.newOutputStream(jar);
          JarOutputStream out = new JarOutputStream(bytes);
          Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          out.putNextEntry(new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
          Files.copy(file, out);
          out.closeEntry();
        }
      }
      return jar;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
