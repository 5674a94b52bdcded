package ngd.app.terminal;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import ngd.core.question.Key;
import ngd.core.question.Words;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** A command that asks a question, by flags or by a file. */
public abstract class QuestionCommand
    implements Callable<Integer>, ConfigFile.Reader, AsksQuestion {
  @ParentCommand private @Nullable RootCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "YAML file whose keys are the options below without dashes, or the manifest.json of an earlier run. Flags override it; paths in it are relative to the file.")
  private @Nullable Path configFile;

  private final List<Key<?>> keys;
  private Words words = new Words(Words.Style.FLAGS);

  /** A command with options for these keys. */
  protected QuestionCommand(List<Key<?>> keys) {
    this.keys = List.copyOf(keys);
  }

  @Override
  public @Nullable Path configFile() {
    return configFile;
  }

  @Override
  public List<Key<?>> keys() {
    return keys;
  }

  @Override
  public void asked(Words said) {
    words = said;
  }

  /** What was said. */
  protected Words words() {
    return words;
  }

  protected Console console() {
    return RootCommand.consoleOf(parent);
  }
}
