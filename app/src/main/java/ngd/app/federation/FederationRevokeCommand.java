package ngd.app.federation;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation revoke}: the signed list of certificates that hold no longer. */
@Command(
    name = "revoke",
    description = {
      "Revokes all certificates of a site so far and signs the list of revoked ones.",
      "Hand the list to every site; a running peer reads it when it lies beside its plan.",
      ""
    })
final class FederationRevokeCommand implements Callable<Integer> {
  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(arity = "0..1", paramLabel = "SITE", description = "The site's name.")
  private @Nullable String site;

  @Mixin private AuthorityOption authority = new AuthorityOption();

  @Override
  public Integer call() {
    if (site == null) {
      throw new InvalidInput("SITE: whose certificates to revoke must be given");
    }
    Path list = authority.open().revoke(site);
    Objects.requireNonNull(parent)
        .console()
        .out()
        .printf(
            "%s: revoked. Hand %s to every site, to lie beside its plan.yaml; peers that run read it.%n",
            site, list);
    return Exit.DONE;
  }
}
