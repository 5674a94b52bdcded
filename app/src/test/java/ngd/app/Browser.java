package ngd.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A real Chromium, driven by the tests of the window. */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts it, or skips the test where the machine has none. */
  static Browser start() {
    Optional<Path> chromium = onPath("chromium", "chromium-browser", "google-chrome");
    Optional<Path> chromedriver = onPath("chromedriver");
    Assumptions.assumeTrue(
        chromium.isPresent() && chromedriver.isPresent(),
        "no Chromium with chromedriver on the PATH; launcher/browser.sh installs them");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.orElseThrow().toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--force-color-profile=srgb");
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(chromedriver.orElseThrow().toFile())
            .withSilent(true)
            .build();
    Browser browser = new Browser(new ChromeDriver(service, options));
    browser.size(1440, 900);
    return browser;
  }

  private static Optional<Path> onPath(String... names) {
    for (String name : names) {
      for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
        Path file = Path.of(folder, name);
        if (Files.isExecutable(file)) {
          return Optional.of(file);
        }
      }
    }
    return Optional.empty();
  }

  void size(int width, int height) {
    driver.manage().window().setSize(new Dimension(width, height));
    var _ =
        driver.executeCdpCommand(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  void dark(boolean dark) {
    var _ =
        driver.executeCdpCommand(
            "Emulation.setEmulatedMedia",
            Map.of(
                "features",
                List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  void open(String address) {
    driver.get(address);
  }

  /** Goes to another page of the window. */
  void page(String hash, String name) {
    script(
        """
        delete document.getElementById("main").dataset.ready;
        if (location.hash === arguments[0]) dispatchEvent(new HashChangeEvent("hashchange"));
        else location.hash = arguments[0];
        """,
        hash);
    until(
        "the page " + hash,
        () -> name.equals(script("return document.getElementById('main').dataset.ready")));
  }

  WebElement find(String css) {
    return new WebDriverWait(driver, PATIENCE)
        .withMessage("nothing is there at " + css)
        .until(d -> d.findElements(By.cssSelector(css)).stream().findFirst().orElse(null));
  }

  List<WebElement> all(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  String text(String css) {
    try {
      return find(css).getText();
    } catch (StaleElementReferenceException redrawn) {
      return find(css).getText();
    }
  }

  String attribute(String css, String name) {
    return String.valueOf(
        script(
            "return document.querySelector(arguments[0]).getAttribute(arguments[1])", css, name));
  }

  void click(String css) {
    WebElement element = find(css);
    script("arguments[0].scrollIntoView({block: 'center'})", element);
    element.click();
  }

  void press(String button) {
    WebElement element =
        new WebDriverWait(driver, PATIENCE)
            .until(
                d ->
                    d.findElements(By.tagName("button")).stream()
                        .filter(one -> one.getText().equals(button))
                        .findFirst()
                        .orElse(null));
    script("arguments[0].scrollIntoView({block: 'center'})", element);
    element.click();
  }

  void choose(String css, String value) {
    new Select(find(css)).selectByValue(value);
  }

  /** Writes into the control with this label. */
  void write(String label, String value) {
    Object control =
        script(
            """
            const label = [...document.querySelectorAll("label")].find((one) => one.textContent === arguments[0]);
            return document.getElementById(label.htmlFor);
            """,
            label);
    WebElement element = (WebElement) control;
    if (element.getTagName().equals("select")) {
      new Select(element).selectByValue(value);
    } else {
      element.clear();
      element.sendKeys(value);
    }
  }

  /** A point of an element, from its centre. */
  void clickAt(String css, int x, int y) {
    new Actions(driver).moveToElement(find(css), x, y).click().perform();
  }

  void drag(String css, int fromX, int fromY, int toX, int toY) {
    new Actions(driver)
        .moveToElement(find(css), fromX, fromY)
        .clickAndHold()
        .moveByOffset((toX - fromX) / 2, (toY - fromY) / 2)
        .moveToElement(find(css), toX, toY)
        .release()
        .perform();
  }

  void until(String what, BooleanSupplier condition) {
    new WebDriverWait(driver, PATIENCE)
        .pollingEvery(Duration.ofMillis(50))
        .ignoring(StaleElementReferenceException.class)
        .withMessage(() -> "waited in vain for " + what + "; the page says: " + pageText())
        .until(d -> condition.getAsBoolean());
  }

  private String pageText() {
    String text = driver.findElement(By.tagName("body")).getText().replace('\n', '|');
    return text.substring(0, Math.min(1500, text.length()));
  }

  Object script(String text, Object... arguments) {
    return ((JavascriptExecutor) driver).executeScript(text, arguments);
  }

  Object wait(String text, Object... arguments) {
    return ((JavascriptExecutor) driver).executeAsyncScript(text, arguments);
  }

  /** A number as pages write it. */
  String number(double number) {
    return String.valueOf(
        wait(
            "const done = arguments[arguments.length - 1]; import('/dom.js').then((dom) =>"
                + " done(dom.number(arguments[0])));",
            number));
  }

  /**
   * What axe finds that is serious or critical, a line each.
   *
   * @param rules those to look for; all where none is named
   */
  List<String> barriers(String... rules) {
    if (!Boolean.TRUE.equals(script("return window.axe !== undefined"))) {
      try (var stream = Browser.class.getResourceAsStream("/axe.min.js")) {
        var _ = script(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    Object found =
        wait(
            """
            const done = arguments[arguments.length - 1];
            axe.run(arguments[0].length ? {runOnly: arguments[0]} : {}).then((result) => done(result.violations
                .filter((one) => one.impact === "serious" || one.impact === "critical")
                .map((one) => one.id + ": " + one.nodes.map((node) => node.html).join(" "))));
            """,
            List.of(rules));
    List<String> lines = new ArrayList<>();
    ((List<?>) found).forEach(line -> lines.add(String.valueOf(line)));
    return lines;
  }

  /** A picture of the page for the documents, where {@code -Dngd.screenshots=DIR} asks for them. */
  void picture(String name) {
    String folder = System.getProperty("ngd.screenshots");
    if (folder == null) {
      return;
    }
    script(
        "document.activeElement?.blur(); scrollTo(0, 0); document.getElementById('toasts').replaceChildren();");
    try {
      Path file = Path.of(folder, name + ".png");
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A whole page as a picture, where {@code -Dngd.pages=DIR} asks for them: each should be one to
   * show.
   */
  void look(String hash, boolean dark, int width) {
    String folder = System.getProperty("ngd.pages");
    if (folder == null) {
      return;
    }
    frame();
    Number high =
        (Number)
            script(
                "scrollTo(0, 0); document.getElementById('toasts').replaceChildren(); return"
                    + " document.documentElement.scrollHeight");
    size(width, Math.min(6000, high.intValue()));
    frame();
    try {
      Path file =
          Path.of(
              folder,
              "%s-%d-%s.png"
                  .formatted(
                      hash.replaceAll("[^A-Za-z0-9]+", "-").substring(1),
                      width,
                      dark ? "dark" : "light"));
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    size(width, 900);
  }

  /** Waits until the page was painted twice. */
  void frame() {
    var _ =
        wait(
            "const done = arguments[arguments.length - 1]; requestAnimationFrame(() =>"
                + " requestAnimationFrame(() => setTimeout(done, 0)));");
  }

  /** What the page complained of in its console. */
  List<String> complaints() {
    return driver.manage().logs().get("browser").getAll().stream()
        .map(entry -> entry.getMessage())
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
