package ngd.app.federation;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.peer.identity.CertificateRequest;
import ngd.peer.plan.SitePolicy;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer request}: makes a site's keys and asks for its certificate. */
@Command(
    name = "request",
    description = {
      "Creates this site's private keys, a certificate request, which holds no secrets, and"
          + " site.yaml for the site's own disclosure rules.",
      "Run again with existing keys, it prints the same request: for renewing a certificate.",
      ""
    })
final class PeerRequestCommand implements Callable<Integer> {
  @ParentCommand private @Nullable PeerCommand parent;

  @Option(names = "--name", paramLabel = "NAME", description = "Name of the site in the plan.")
  private @Nullable String name;

  @Option(
      names = "--into",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Folder of the site; the current one by default.")
  private Path folder = Path.of(".");

  @Override
  public Integer call() {
    if (name == null) {
      throw new InvalidInput("--name: the site's name in the plan must be given");
    }
    CertificateRequest request = CertificateRequest.make(name, folder);
    SitePolicy.writeTemplate(folder);
    Objects.requireNonNull(parent)
        .console()
        .out()
        .printf(
            """
            %s: the private key, readable by you alone; it stays here
            %s: the certificate request, for the federation's authority
            %s: this site's own rules about what may leave it; nobody else sees them
            fingerprint %s

            Send them the request, and read them the fingerprint by telephone.
            """,
            folder.resolve(name + ".key").normalize(),
            folder.resolve(name + ".csr").normalize(),
            folder.resolve(SitePolicy.FILE).normalize(),
            request.fingerprint());
    return Exit.DONE;
  }
}
