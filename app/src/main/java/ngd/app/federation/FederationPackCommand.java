package ngd.app.federation;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Packing;
import ngd.peer.plan.Exposure;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.WrittenPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation pack}: signs the plan and makes each site's kit. */
@Command(
    name = "pack",
    description = {
      "Signs the plan and builds a kit for each site: the plan, its signature and all"
          + " certificates.",
      "A kit holds no secrets; each site unpacks its kit beside its key.",
      ""
    })
final class FederationPackCommand implements Callable<Integer> {
  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(arity = "0..1", paramLabel = "PLAN", description = "The plan.")
  private @Nullable Path file;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "kits",
      description = "Folder for the kits; ./kits by default.")
  private Path out = Path.of("kits");

  @Option(
      names = "--all-local",
      description =
          "For rehearsals on one machine: also create every site's folder here with an approved"
              + " key. Real keys are made at their sites.")
  private boolean allLocal;

  @Mixin private AuthorityOption authority = new AuthorityOption();

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    if (file == null) {
      throw new InvalidInput("PLAN: the plan to pack must be given, such as plan.yaml");
    }
    WrittenPlan plan = PlanReader.read(file);
    Authority signing = authority.open();
    if (allLocal) {
      Packing.allLocal(signing, plan, file, out);
    } else {
      Packing.zipped(signing, plan, file, out);
    }
    Exposure.statements(plan.plan())
        .forEach(line -> console.err().println("ngd federation pack: " + line));
    console.out().printf("plan %s, signed; kits in %s:%n", plan.shortHash(), out);
    for (String site : plan.plan().federation().members()) {
      console.out().printf("  %s%s%n", site, allLocal ? "/" : ".zip");
    }
    return Exit.DONE;
  }
}
