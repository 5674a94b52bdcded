package ngd.app.federation;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Kit;
import ngd.peer.identity.Packing;
import ngd.peer.plan.PlanEdit;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.WrittenPlan;
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
          + " Questions under way end, and can be asked again of the rest.",
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
      names = "--member",
      paramLabel = "DIR",
      description = "Folder of a member whose peer passes the change on.")
  private @Nullable Path member;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "kits",
      description = "Folder for the new kits; ./kits by default.")
  private Path out = Path.of("kits");

  @Mixin private AuthorityOption authority = new AuthorityOption();

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    if (site == null) {
      throw new InvalidInput("SITE: the site that leaves must be given");
    }
    WrittenPlan plan = PlanReader.read(file);
    WrittenPlan changed = PlanEdit.without(plan, site, network);
    Authority signing = authority.open();
    signing.revoke(site);
    Path kept = Packing.replace(signing, plan, changed, file);
    Packing.zipped(signing, changed, file, out);
    if (member != null) {
      Members.folder(Members.standing(member))
          .change(Kit.texts(signing, changed), changed.shortHash());
    }
    console
        .out()
        .printf(
            """
            %s: plan %s without %s, signed; the previous plan is kept as %s
            %s
            """,
            file,
            changed.shortHash(),
            site,
            kept,
            member == null
                ? "Hand a kit of %s in at any member: `ngd peer update KIT.zip`; its peer passes the change on."
                    .formatted(out)
                : "The peer of %s passes the change on to all others.".formatted(member));
    return Exit.DONE;
  }
}
