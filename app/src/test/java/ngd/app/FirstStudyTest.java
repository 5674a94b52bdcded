package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Follows docs/first-study.md with the page's own commands; what it quotes must be printed. */
class FirstStudyTest {
  private static final Pattern BLOCK = Pattern.compile("```([a-z]*)\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  private String here(String word) {
    return List.of("run", "curves.svg", "compared", "grid.yaml", "grid").contains(word)
        ? folder.resolve(word).toString()
        : word;
  }

  @Test
  void page_followed_printsWhatItQuotes() throws IOException {
    Path page = Path.of("").toAbsolutePath().getParent().resolve("docs/first-study.md");
    Matcher block = BLOCK.matcher(Files.readString(page));
    StringBuilder said = new StringBuilder();
    int commands = 0;
    while (block.find()) {
      switch (block.group(1)) {
        case "yaml" -> Files.writeString(folder.resolve("grid.yaml"), block.group(2));
        case "text" -> {
          for (String line : block.group(2).lines().toList()) {
            assertThat(said.toString().lines()).contains(line);
          }
        }
        default -> {
          for (String line : block.group(2).lines().toList()) {
            String[] words = line.replaceFirst("^\\./ngd ", "").split(" ", -1);
            // The window waits for a person.
            if (!words[0].equals("ui")) {
              for (int i = 0; i < words.length; i++) {
                words[i] = here(words[i]);
              }
              Command done = Command.run(words);
              assertThat(done.code()).as(line + ": " + done.err()).isZero();
              assertThat(done.err()).doesNotContain("warning");
              said.append(done.out());
              commands++;
            }
          }
        }
      }
    }
    assertThat(commands).isEqualTo(6);
    assertThat(folder.resolve("grid/report.html")).exists();
    assertThat(folder.resolve("curves.svg")).exists();
  }
}
