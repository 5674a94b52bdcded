package ngd.app.federation;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.peer.identity.Authority;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Federation;
import ngd.peer.plan.PlanEdit;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.WrittenPlan;
import ngd.peer.standing.SignedStatement;
import ngd.peer.standing.Statement;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation leave}: a site that is gone for good. */
@Command(
    name = "leave",
    description = {
      "Ends a site's part in a standing federation: signs the plan without it and revokes its"
          + " certificates.",
      "Handed in at any member (--member), the change reaches all others through their peers."
          + " Questions under way end, and can be asked again of the rest. With --vote, sites do it"
          + " without the authority.",
      ""
    })
final class FederationLeaveCommand implements Callable<Integer> {
  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(index = "0", arity = "0..1", paramLabel = "SITE", description = "The site's name.")
  private @Nullable String site;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PLAN",
      defaultValue = "plan.yaml",
      description = "The plan; plan.yaml by default.")
  private Path file = Path.of("plan.yaml");

  @Option(
      names = "--network",
      paramLabel = "SPEC",
      defaultValue = "",
      description = "Another network for those who stay, where the present one needs the site.")
  private String network = "";

  @Option(
      names = "--vote",
      description =
          "Sign as the site of --member, without the authority: SITE leaves when as many sites as"
              + " the plan's `quorum` have signed.")
  private boolean vote;

  @Mixin private AmendmentOptions amendment = new AmendmentOptions();

  @Mixin private AuthorityOption authority = new AuthorityOption();

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    if (site == null) {
      throw new InvalidInput("SITE: the site that leaves must be given");
    }
    if (vote) {
      return vote(site, console);
    }
    WrittenPlan plan = PlanReader.read(file);
    WrittenPlan changed = PlanEdit.without(plan, site, network);
    amendment.check();
    Authority signing = authority.open();
    signing.revoke(site);
    amendment.write(signing, plan, changed, file, "without " + site, console);
    return Exit.DONE;
  }

  /** One site's word; the peers count them. */
  private int vote(String leaving, Console console) {
    PeerIdentity identity = amendment.member();
    WrittenPlan plan = identity.kit().plan();
    Federation federation = plan.plan().federation();
    int others = federation.names().size() - 1;
    if (!federation.names().contains(identity.site()) || identity.site().equals(leaving)) {
      throw new InvalidInput(
          "--member: must be the folder of another site than %s; it is that of %s"
              .formatted(leaving, identity.site()));
    }
    if (federation.quorum() == 0 || federation.quorum() > others) {
      throw new InvalidInput(
          "--vote: needs a `quorum` in the plan of at most %d, the other sites; it has %s"
              .formatted(others, federation.quorum() == 0 ? "none" : federation.quorum()));
    }
    // What cannot be made is refused before anybody signs it.
    var _ = PlanEdit.without(plan, leaving, network);
    Members.folder(identity)
        .ask(
            SignedStatement.by(
                identity, new Statement.Left(leaving, network, Members.hash(identity))));
    console
        .out()
        .printf(
            "%s signs that %s leaves; it does when %d sites have%n",
            identity.site(), leaving, federation.quorum());
    return Exit.DONE;
  }
}
