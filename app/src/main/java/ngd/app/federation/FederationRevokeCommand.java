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
      "Revokes all certificates issued to a site so far and signs the revocation list.",
      "Send the list to every site, to be placed beside plan.yaml; running peers pick it up.",
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
      throw new InvalidInput("SITE: the site whose certificates to revoke must be given");
    }
    Path list = authority.open().revoke(site);
    Objects.requireNonNull(parent)
        .console()
        .out()
        .printf(
            "%s: revoked. Send %s to every site, to be placed beside its plan.yaml; running peers pick it up.%n",
            site, list);
    return Exit.DONE;
  }
}
