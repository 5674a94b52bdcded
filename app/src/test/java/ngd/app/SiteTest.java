package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The docs as a site. Its build, which launcher/site.sh does, takes too long for here. */
class SiteTest {
  private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

  @TempDir Path dir;

  @Test
  void sidebar_hasEveryPage() throws IOException {
    String config = Files.readString(REPOSITORY.resolve("site/.vitepress/config.mjs"));
    try (Stream<Path> pages = Files.list(REPOSITORY.resolve("docs"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        String name = String.valueOf(page.getFileName()).replace(".md", "");
        assertThat(config)
            .as("the page %s in the site's sidebar", name)
            .contains("['" + name + "',");
      }
    }
  }

  @Test
  void links_thatLeadNowhere_areNamed() throws Exception {
    assumeTrue(hasNode(), "needs Node.js");
    Files.createDirectory(dir.resolve("sub"));
    Files.writeString(dir.resolve("sub/x.html"), "<h1 id=\"here\">h</h1><a href=\"../\">up</a>");
    Path index = dir.resolve("index.html");
    Files.writeString(index, "<a href=\"/b/sub/x\">x</a><a href=\"sub/x.html#here\">y</a>");
    assertThat(links()).isEqualTo("0 2 pages, 3 links, 0 broken\n");
    Files.writeString(
        index,
        "<a href=\"sub/x.html#nowhere\">z</a><a href=\"gone.html\">g</a><img src=\"/b/no.png\"><a"
            + " href=\"/other/\">o</a><a href=\"https://example.org\">e</a>");
    assertThat(links())
        .startsWith("1 ")
        .contains(
            "index.html: sub/x.html#nowhere: the page has no such anchor",
            "index.html: gone.html leads nowhere",
            "index.html: /b/no.png leads nowhere",
            "index.html: /other/ leads nowhere",
            "4 broken");
  }

  /** The exit code, and what was printed. */
  private String links() throws Exception {
    Process process =
        new ProcessBuilder(
                "node", REPOSITORY.resolve("site/links.mjs").toString(), dir.toString(), "/b/")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + said;
  }

  private static boolean hasNode() throws InterruptedException {
    try {
      return new ProcessBuilder(
                  "node", "-e", "process.exit(+process.versions.node.split('.')[0] < 20 ? 1 : 0)")
              .start()
              .waitFor()
          == 0;
    } catch (IOException absent) {
      return false;
    }
  }
}
