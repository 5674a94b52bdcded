package ngd.app.shell;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import ngd.app.terminal.Exit;
import ngd.app.terminal.RootCommand;
import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code ngd completion}: a script that lets a shell complete commands and options. */
@Command(
    name = "completion",
    description = {
      "Prints a script that completes commands and options in a shell.",
      "bash: ngd completion bash > ~/.local/share/bash-completion/completions/ngd",
      "zsh: ngd completion zsh > ~/.ngd-completion and `source ~/.ngd-completion` in ~/.zshrc",
      "fish: ngd completion fish > ~/.config/fish/completions/ngd.fish",
      ""
    })
public final class CompletionCommand implements Callable<Integer> {
  @ParentCommand private @Nullable RootCommand parent;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
  private String shell = "";

  @Override
  public Integer call() {
    CommandLine root = Objects.requireNonNull(spec).root().commandLine();
    String script =
        switch (shell) {
          case "bash" -> bash(root);
          case "zsh" -> "autoload -Uz bashcompinit && bashcompinit\n" + bash(root);
          case "fish" -> FishCompletion.of(root.getCommandSpec());
          default ->
              throw new InvalidInput("SHELL: must be bash, zsh or fish; got `%s`".formatted(shell));
        };
    RootCommand.consoleOf(parent).out().print(script);
    return Exit.DONE;
  }

  /**
   * Picocli names the values of an option after the label in its help, which several options share;
   * here after the option.
   */
  private static String bash(CommandLine root) {
    Pattern values = Pattern.compile("local [A-Z]+_option_args=(.* # --([a-z-]+) values)");
    Pattern label = Pattern.compile(" +.*'?--([a-z-]+)'?\\)");
    StringBuilder script = new StringBuilder();
    String option = "";
    for (String line : AutoComplete.bash("ngd", root).split("\n", -1)) {
      Matcher said = label.matcher(line);
      option = said.matches() ? said.group(1).replace('-', '_') : option;
      Matcher declared = values.matcher(line.strip());
      if (declared.matches()) {
        line =
            "  local %s_values=%s"
                .formatted(declared.group(2).replace('-', '_'), declared.group(1));
      }
      script.append(line.replaceAll("\\$\\{[A-Z]+_option_args", "\\${" + option + "_values"));
      script.append('\n');
    }
    return script.toString();
  }
}
