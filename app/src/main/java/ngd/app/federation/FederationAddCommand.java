package ngd.app.federation;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Packing;
import ngd.peer.plan.Exposure;
import ngd.peer.plan.PlanEdit;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation add}: a new signed plan with one site more. */
@Command(
    name = "add",
    description = {
      "Adds a site to the plan, which becomes a new run, and signs the plan.",
      "The other sites' keys and certificates stay valid; the previous plan is kept under its"
          + " hash.",
      "Whoever has the results before and after can subtract them: the difference is the new site's"
          + " sums.",
      ""
    })
final class FederationAddCommand implements Callable<Integer> {
  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(index = "0", arity = "0..1", paramLabel = "PLAN", description = "The plan.")
  private @Nullable Path file;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NAME=HOST:PORT",
      description = "Name of the site and address of its peer.")
  private @Nullable String added;

  @Mixin private AuthorityOption authority = new AuthorityOption();

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    if (file == null || added == null) {
      throw new InvalidInput("PLAN and NAME=HOST:PORT: the plan and its new site must be given");
    }
    WrittenPlan plan = PlanReader.read(file);
    Problems problems = new Problems();
    Site site = FederationNewCommand.site(added, problems);
    problems.throwIfAny();
    WrittenPlan changed = PlanEdit.add(plan, Objects.requireNonNull(site));
    Authority signing = authority.open();
    Path kept = Packing.replace(signing, plan, changed, file);
    Exposure.statements(changed.plan())
        .forEach(line -> console.err().println("ngd federation add: " + line));
    console
        .err()
        .println(
            "ngd federation add: whoever has the results before and after can subtract them, and then knows the sums of %s alone"
                .formatted(site.name()));
    console
        .out()
        .printf(
            """
            %s: plan %s with %d sites, signed; the previous plan is kept as %s
            Next: `ngd federation admit %s --at HOST:PORT --member DIR`, DIR being the folder of a member, and `ngd peer join` at %s.
            Or by files: `ngd peer request --name %s` there, `ngd federation approve %s.csr --fingerprint …`, `ngd federation pack %s`.
            """,
            file,
            changed.shortHash(),
            changed.plan().sites().size(),
            kept,
            file,
            site.name(),
            site.name(),
            site.name(),
            file);
    return Exit.DONE;
  }
}
