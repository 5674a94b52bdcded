package ngd.app.federation;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.peer.identity.CertificateRequest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer request}: makes a site's keys and asks for its certificate. */
@Command(
    name = "request",
    description = {
      "Makes this site's keys, which never leave it, and a certificate request, which"
          + " holds no secret.",
      "Again with keys that are there, it shows the same request: to renew a certificate.",
      ""
    })
final class PeerRequestCommand implements Callable<Integer> {
  @ParentCommand private @Nullable PeerCommand parent;

  @Option(names = "--name", paramLabel = "NAME", description = "The site's name in the plan.")
  private @Nullable String name;

  @Option(
      names = "--into",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "The site's folder; the current one by default.")
  private Path folder = Path.of(".");

  @Override
  public Integer call() {
    if (name == null) {
      throw new InvalidInput("--name: the site's name in the plan must be given");
    }
    CertificateRequest request = CertificateRequest.make(name, folder);
    Objects.requireNonNull(parent)
        .console()
        .out()
        .printf(
            """
            %s: the key, readable by you alone; it stays here
            %s: the request, for the federation's authority
            fingerprint %s

            Send the request; read the fingerprint to them by telephone.
            """,
            folder.resolve(name + ".key").normalize(),
            folder.resolve(name + ".csr").normalize(),
            request.fingerprint());
    return Exit.DONE;
  }
}
