package ngd.app.federation;

import java.nio.file.Path;
import java.time.InstantSource;
import ngd.peer.identity.Authority;
import picocli.CommandLine.Option;

/** The option that says where the federation's authority is. */
final class AuthorityOption {
  @Option(
      names = "--authority",
      paramLabel = "DIR",
      defaultValue = "authority",
      description =
          "Folder with the federation's signing key and all it has signed; ./authority by default.")
  private Path folder = Path.of("authority");

  Path folder() {
    return folder;
  }

  Authority open() {
    return Authority.open(folder, InstantSource.system());
  }
}
