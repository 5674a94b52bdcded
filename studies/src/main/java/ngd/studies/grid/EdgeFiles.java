package ngd.studies.grid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import ngd.core.InvalidInput;
import ngd.core.file.Sha256;

/** Networks that a file describes: their name alone does not say which network that was. */
final class EdgeFiles {
  private static final String PREFIX = "file:";

  private EdgeFiles() {}

  /** The words for a network, with the digest of its file where it has one. */
  static String withDigest(String network) {
    if (!network.startsWith(PREFIX)) {
      return network;
    }
    try {
      byte[] content = Files.readAllBytes(Path.of(network.substring(PREFIX.length())));
      return "%s sha256:%s".formatted(network, HexFormat.of().formatHex(Sha256.of(content)));
    } catch (IOException unreadable) {
      throw new InvalidInput(
          "network %s: cannot be read: %s".formatted(network, unreadable.getMessage()), unreadable);
    }
  }
}
