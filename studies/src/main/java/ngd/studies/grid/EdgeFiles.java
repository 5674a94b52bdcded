package ngd.studies.grid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import ngd.core.InvalidInput;
import ngd.core.file.Sha256;

/**
 * Networks and data in files: their names alone do not say which network, or which data, that was.
 */
final class EdgeFiles {
  private static final String PREFIX = "file:";

  private EdgeFiles() {}

  /** The words for a network, with the digest of its file where it has one. */
  static String withDigest(String network) {
    if (!network.startsWith(PREFIX)) {
      return network;
    }
    return digested("network", network, Path.of(network.substring(PREFIX.length())));
  }

  /** The words for data, with the digest where they are one file. */
  static String dataWithDigest(String place) {
    try {
      Path file = Path.of(place);
      return Files.isRegularFile(file) ? digested("data", place, file) : place;
    } catch (InvalidPathException notAFile) {
      return place;
    }
  }

  private static String digested(String what, String words, Path file) {
    try {
      return "%s sha256:%s"
          .formatted(words, HexFormat.of().formatHex(Sha256.of(Files.readAllBytes(file))));
    } catch (IOException unreadable) {
      throw new InvalidInput(
          "%s %s: cannot be read: %s".formatted(what, words, unreadable.getMessage()), unreadable);
    }
  }
}
