package ngd.app.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.RootCommand;
import ngd.app.terminal.Version;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code ngd manual}: manual pages, one for each command. */
@Command(
    name = "manual",
    description = {
      "Writes manual pages, one for each command: `man -l DIR/ngd-fit.1` shows one.",
      "With --format markdown, a reference for the docs.",
      ""
    })
public final class ManualCommand implements Callable<Integer> {
  @ParentCommand private @Nullable RootCommand parent;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = "Folder to write them to; pages of the same name are replaced.")
  private Path out = Path.of(".");

  @Option(
      names = "--format",
      paramLabel = "WORD",
      defaultValue = "man",
      description = "man (the default) or markdown.")
  private String format = "man";

  @Override
  public Integer call() throws IOException {
    Console console = RootCommand.consoleOf(parent);
    boolean markdown = format.equals("markdown");
    if (!markdown && !format.equals("man")) {
      throw new InvalidInput("--format: must be man or markdown; got `%s`".formatted(format));
    }
    List<CommandSpec> commands = new ArrayList<>();
    collect(Objects.requireNonNull(spec).root(), commands);
    if (Files.exists(out) && !Files.isDirectory(out)) {
      throw new InvalidInput("--out: must be a folder; %s is a file".formatted(out));
    }
    Files.createDirectories(out);
    for (CommandSpec command : commands) {
      WholeFile.write(
          out.resolve(ManualPage.name(command) + (markdown ? ".md" : ".1")),
          markdown ? ReferencePage.of(command) : ManualPage.of(command, Version.number()));
    }
    console.out().printf("%d manual pages in %s%n", commands.size(), out);
    return Exit.DONE;
  }

  private static void collect(CommandSpec command, List<CommandSpec> into) {
    into.add(command);
    for (CommandLine line : command.subcommands().values()) {
      if (!line.getCommandSpec().usageMessage().hidden()) {
        collect(line.getCommandSpec(), into);
      }
    }
  }
}
