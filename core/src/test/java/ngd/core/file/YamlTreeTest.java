package ngd.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The oracle is the text itself: which line each word was written on. */
class YamlTreeTest {
  private final List<String> problems = new ArrayList<>();

  private YamlTree read(String text) {
    return YamlTree.read(text, problems);
  }

  private static YamlTree.Entry entry(int line, YamlTree value) {
    return new YamlTree.Entry(line, value);
  }

  @Test
  void read_keysListsAndWords_haveTheirLines() {
    YamlTree tree = read("a: 1\nb:\n  - x\n  - null\n  - {c: 'two words'}\nd:\n");
    assertThat(tree)
        .isEqualTo(
            new YamlTree.Keys(
                1,
                Map.of(
                    "a", entry(1, new YamlTree.Scalar(1, "1")),
                    "b",
                        entry(
                            2,
                            new YamlTree.Items(
                                3,
                                List.of(
                                    new YamlTree.Scalar(3, "x"),
                                    new YamlTree.Scalar(4, ""),
                                    new YamlTree.Keys(
                                        5,
                                        Map.of(
                                            "c", entry(5, new YamlTree.Scalar(5, "two words"))))))),
                    "d", entry(6, new YamlTree.Scalar(6, "")))));
    assertThat(((YamlTree.Keys) tree).entries().keySet()).containsExactly("a", "b", "d");
    assertThat(problems).isEmpty();
  }

  @Test
  void read_nothing_isAnEmptyWord() {
    assertThat(read("")).isEqualTo(new YamlTree.Scalar(1, ""));
    assertThat(problems).isEmpty();
  }

  @Test
  void read_aKeyTwiceOrTwoDocuments_areProblemsWithTheirLines() {
    YamlTree tree = read("a: 1\nb: 2\na: 3\n---\nc: 4\n");
    assertThat(((YamlTree.Keys) tree).entries().get("a"))
        .isEqualTo(entry(3, new YamlTree.Scalar(3, "3")));
    assertThat(problems)
        .containsExactly(
            "line 3: `a` may be given once; line 1 gives it too",
            "line 5: must be one document; another begins");
  }

  @Test
  void read_asDeepAndLongAsAllowed_isReadAndNoMore() {
    assertThat(read("a: {b: {c: {d: 1}}}")).isInstanceOf(YamlTree.Keys.class);
    assertThatThrownBy(() -> read("\na: {b: {c: {d: {e: 1}}}}"))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("line 2: must be nested at most 5 levels deep");
    assertThatThrownBy(() -> read("- - - - - x")).hasMessageContaining("at most 5 levels");
    String longest = "#".repeat(YamlTree.LARGEST);
    assertThat(read(longest)).isEqualTo(new YamlTree.Scalar(1, ""));
    assertThatThrownBy(() -> read(longest + "#"))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("must have at most 1048576 characters; it has 1048577");
  }

  /** The line is that of the mistake, also where it comes before the first token. */
  @ParameterizedTest
  @CsvSource({
    "'\n\na: [1', line 3: is not YAML: while parsing a flow sequence: expected",
    "'\n\na: b: c', line 3: is not YAML: mapping values are not allowed here",
    "'\n\n\t- x', line 3: is not YAML: while scanning for the next token: found character",
    "'a: 1\nb: \u0001', line 1: is not YAML: special characters are not allowed"
  })
  void read_whatIsNoYaml_isRefusedWithItsLine(String text, String words) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith(words);
  }

  /** A character of two halves at every place around the ends of the scanner's buffers. */
  @Test
  void read_aCharacterOfTwoHalvesAnywhere_isOne() {
    for (int before : new int[] {509, 510, 511, 512, 1021, 1022, 1023, 1024, 2047, 4095}) {
      String word = "x".repeat(before - 3) + "😀".repeat(40);
      assertThat(read("a: " + word))
          .isEqualTo(new YamlTree.Keys(1, Map.of("a", entry(1, new YamlTree.Scalar(1, word)))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "it's: a \"word\"", "- x", "# no comment", "a\nb", "😀"})
  void quoted_anyText_isReadBack(String text) {
    assertThat(YamlTree.quoted(text)).doesNotContain("\n");
    assertThat(read(YamlTree.quoted(text))).isEqualTo(new YamlTree.Scalar(1, text));
  }

  @Test
  void text_aFileThatCannotBeRead_isRefusedWithTheReason(@TempDir Path folder) throws IOException {
    Path good = Files.writeString(folder.resolve("good"), "a: é");
    assertThat(YamlTree.text(good)).isEqualTo("a: é");
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, 1});
    for (var wrong :
        Map.of(
                folder,
                "it is a folder",
                binary,
                "it is not UTF-8 text",
                folder.resolve("absent"),
                "it does not exist")
            .entrySet()) {
      assertThatThrownBy(() -> YamlTree.text(wrong.getKey()))
          .isInstanceOf(InvalidInput.class)
          .hasMessage("%s: must be a YAML file; %s", wrong.getKey(), wrong.getValue());
    }
  }
}
