package ngd.app.fit;

import java.nio.file.Path;
import java.util.Optional;
import ngd.core.run.StoredRun;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The manifest of a run that is to be repeated. */
record StoredManifest(Path file, String hash) {
  /** The manifest, where a configuration file is one. */
  static Optional<StoredManifest> of(@Nullable Path file) {
    if (file == null || !file.getFileName().toString().equals("manifest.json")) {
      return Optional.empty();
    }
    JsonNode hash = StoredRun.object(file).path("data").path("sha256");
    return hash.isString()
        ? Optional.of(new StoredManifest(file, hash.asString()))
        : Optional.empty();
  }

  /** What a person should know, where the data are others than those of the run. */
  Optional<String> dataChanged(String now) {
    return hash.equals(now)
        ? Optional.empty()
        : Optional.of(
            "the data changed since %s was written (sha256 %s, now %s): the results will differ"
                .formatted(
                    file, hash.substring(0, Math.min(12, hash.length())), now.substring(0, 12)));
  }
}
