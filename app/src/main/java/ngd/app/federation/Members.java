package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.peer.identity.Kit;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.standing.MemberFolder;
import org.jspecify.annotations.Nullable;

/** Members of a federation by their folders: a key, a kit, and what the peer keeps. */
final class Members {
  private Members() {}

  /** The member whose key lies in a folder. */
  static PeerIdentity open(Path folder, @Nullable String name) {
    Kit kit = Kit.open(folder);
    return PeerIdentity.open(kit, name == null ? nameOfKey(folder) : name, InstantSource.system());
  }

  /** The same, of a standing federation. */
  static PeerIdentity standing(Path folder) {
    PeerIdentity identity = open(folder, null);
    if (!identity.kit().plan().plan().standing()) {
      throw new InvalidInput(
          "%s: must be a member's folder of a standing federation; its plan asks one question of its own, which `ngd peer run` answers"
              .formatted(folder));
    }
    return identity;
  }

  /** The hash of the plan that a member holds. */
  static String hash(PeerIdentity identity) {
    return HexFormat.of().formatHex(identity.kit().plan().hash());
  }

  static MemberFolder folder(PeerIdentity identity) {
    return new MemberFolder(identity.kit().folder());
  }

  static String nameOfKey(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<String> keys =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(".key"))
              .sorted()
              .toList();
      if (keys.size() != 1) {
        throw new InvalidInput(
            "%s: must hold one key, as `ngd peer request` writes it, or --name must say which; it holds %s"
                .formatted(folder, keys.isEmpty() ? "none" : String.join(", ", keys)));
      }
      return keys.getFirst().replaceFirst("\\.key$", "");
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: must be the site's folder; it cannot be read".formatted(folder), e);
    }
  }
}
