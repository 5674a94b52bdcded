package ngd.peer.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;

/** What becomes of the files of a site's state while its machine is down. */
final class StateFiles {
  private final UniformRandomProvider draw;

  StateFiles(UniformRandomProvider draw) {
    this.draw = draw;
  }

  static Path folder(FaultSite site) {
    return site.disk.root().resolve("state");
  }

  /** All files, or none where nothing was kept yet. */
  static List<Path> all(FaultSite site) {
    if (!Files.isDirectory(folder(site))) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(folder(site))) {
      return all.filter(Files::isRegularFile).toList();
    } catch (IOException impossible) {
      throw new IllegalStateException("simulation: files cannot be read", impossible);
    }
  }

  /** The snapshots of a site, the oldest first. */
  static List<Path> snapshots(FaultSite site) {
    return all(site).stream()
        .filter(file -> file.getFileName().toString().matches("snapshot-\\d{12}"))
        .sorted()
        .toList();
  }

  /** The newest snapshot of a run that has an older one too. */
  static Optional<Path> replaceable(FaultSite site) {
    List<Path> all = snapshots(site);
    return IntStream.range(1, all.size())
        .filter(k -> all.get(k).resolveSibling("a").equals(all.get(k - 1).resolveSibling("a")))
        .filter(
            k ->
                k + 1 == all.size()
                    || !all.get(k).resolveSibling("a").equals(all.get(k + 1).resolveSibling("a")))
        .mapToObj(all::get)
        .reduce((_, last) -> last);
  }

  /** A bit of a file changes; says whether it has one. */
  boolean rot(FaultSite site, Path file) {
    SimulatedDisk.Node node = site.disk.look(file);
    if (node == null || node.content.length == 0) {
      return false;
    }
    byte[] bytes = node.content.clone();
    bytes[draw.nextInt(bytes.length)] ^= (byte) (1 << draw.nextInt(Byte.SIZE));
    node.content = bytes;
    node.force();
    return true;
  }

  /** Nothing is left of it. */
  static void lose(FaultSite site) throws IOException {
    if (Files.isDirectory(folder(site))) {
      site.disk.put(folder(site), new SimulatedDisk.Node(true));
    }
  }
}
