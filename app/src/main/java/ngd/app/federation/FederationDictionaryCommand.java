package ngd.app.federation;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.core.formula.Dictionary;
import ngd.peer.identity.Authority;
import ngd.peer.plan.PlanEdit;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.WrittenPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation dictionary}: what columns hold, agreed anew. */
@Command(
    name = "dictionary",
    description = {
      "Gives a standing federation another dictionary: signs the plan with it.",
      "Handed in at any member (--member), the change reaches all others through their peers."
          + " Questions under way end, and can be asked again.",
      ""
    })
final class FederationDictionaryCommand implements Callable<Integer> {
  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "YAML file with the dictionary (docs/sources.md).")
  private @Nullable Path dictionary;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PLAN",
      defaultValue = "plan.yaml",
      description = "The plan; plan.yaml by default.")
  private Path file = Path.of("plan.yaml");

  @Mixin private AmendmentOptions amendment = new AmendmentOptions();

  @Mixin private AuthorityOption authority = new AuthorityOption();

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    if (dictionary == null) {
      throw new InvalidInput("FILE: the dictionary must be given, a YAML file");
    }
    Dictionary agreed = Dictionary.read(dictionary);
    WrittenPlan plan = PlanReader.read(file);
    WrittenPlan changed = PlanEdit.with(plan, agreed);
    amendment.check();
    Authority signing = authority.open();
    amendment.write(signing, plan, changed, file, "with the dictionary " + dictionary, console);
    return Exit.DONE;
  }
}
