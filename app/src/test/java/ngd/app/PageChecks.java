package ngd.app;

import java.util.ArrayList;
import java.util.List;

/** What every page of the window must be: without barriers, broken numbers and mute controls. */
final class PageChecks {
  private PageChecks() {}

  /**
   * What is wrong with a page, light and dark, wide and on a phone. Where {@code -Dngd.pages=DIR}
   * asks for them, each is a picture too.
   */
  static List<String> of(Browser browser, String hash) {
    browser.size(1400, 900);
    browser.dark(false);
    browser.page(hash, hash.replaceAll("#/([a-z]+).*", "$1"));
    return shown(browser, hash);
  }

  /**
   * The same of the page as it stands, with whatever was done on it; it is wide and light again.
   */
  static List<String> shown(Browser browser, String hash) {
    browser.size(1400, 900);
    browser.dark(false);
    browser.frame();
    List<String> found = new ArrayList<>();
    for (Object one : errors(browser)) {
      found.add("%s: error: %s".formatted(hash, one));
    }
    for (Object one : withoutTooltip(browser)) {
      found.add("%s: no tooltip: %s".formatted(hash, one));
    }
    for (Object one : flags(browser)) {
      found.add("%s: a flag in a sentence: %s".formatted(hash, one));
    }
    for (boolean dark : new boolean[] {false, true}) {
      browser.dark(dark);
      // Colours on their way from light to dark are neither.
      browser.frame();
      browser.script("document.getAnimations().forEach(one => one.finish())");
      // The other rules do not depend on colours.
      browser
          .barriers(dark ? new String[] {"color-contrast"} : new String[0])
          .forEach(line -> found.add("%s, dark %s: %s".formatted(hash, dark, line)));
      browser.look(hash, dark, 1400);
    }
    for (Object one : brokenNumbers(browser)) {
      found.add("%s: broken: %s".formatted(hash, one));
    }
    browser.size(390, 844);
    browser.frame();
    for (Object one : brokenNumbers(browser)) {
      found.add("%s: broken on a phone: %s".formatted(hash, one));
    }
    for (Object one : withoutHint(browser)) {
      found.add("%s: no hint at %s".formatted(hash, one));
    }
    Object beyond =
        browser.script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth");
    if (((Number) beyond).intValue() > 0) {
      found.add("%s: %s pixels wider than a phone".formatted(hash, beyond));
    }
    for (boolean dark : new boolean[] {true, false}) {
      browser.dark(dark);
      browser.look(hash, dark, 390);
    }
    browser.size(1440, 900);
    return found;
  }

  /** What the console complained of, but for requests that were meant to be refused. */
  static List<String> complaints(Browser browser) {
    return browser.complaints().stream()
        .filter(line -> !line.contains("422") && !line.contains("404"))
        .toList();
  }

  /**
   * A page that could not be shown says so in an alert, and pictures that did not come have no
   * size.
   */
  private static List<?> errors(Browser browser) {
    browser.until(
        "the pictures",
        () ->
            Boolean.TRUE.equals(
                browser.script(
                    "return [...document.querySelectorAll('main img')].every((one) => one.complete)")));
    return (List<?>)
        browser.script(
            """
            return [...document.querySelectorAll("main > [role=alert]")].map((one) => one.textContent)
                .concat([...document.querySelectorAll("main img")].filter((one) => !one.naturalWidth).map((one) => one.src));
            """);
  }

  /** Options of the command line in what is no command. */
  private static List<?> flags(Browser browser) {
    return (List<?>)
        browser.script(
            """
            const found = [];
            const walk = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
            for (let node = walk.nextNode(); node; node = walk.nextNode()) {
              if (!node.parentElement.closest("code, .mono") && /(^|\\s)--[a-z]/.test(node.data)) found.push(node.data);
            }
            return found;
            """);
  }

  /** Numbers of the page that are broken over two lines, with a few words around them. */
  private static List<?> brokenNumbers(Browser browser) {
    return (List<?>)
        browser.script(
            """
            const broken = [];
            const walk = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
            for (let node = walk.nextNode(); node; node = walk.nextNode()) {
              if (node.parentElement.closest("code, .mono, option, svg")) continue;
              for (const found of node.data.matchAll(/(?<![A-Za-z0-9])[−-]?\\d[\\d,.]*(e-?\\d+)?(\\u00a0[A-Za-z%]+)?(?![A-Za-z0-9])/g)) {
                const range = document.createRange();
                range.setStart(node, found.index);
                range.setEnd(node, found.index + found[0].length);
                const tops = new Set([...range.getClientRects()].map((one) => Math.round(one.top)));
                if (tops.size > 1) broken.push(node.data);
              }
            }
            return broken;
            """);
  }

  /** The controls that say nothing when a pointer rests on them. */
  private static List<?> withoutTooltip(Browser browser) {
    return (List<?>)
        browser.script(
            """
            return [...document.querySelectorAll("header a, header button, main button, main input, main select, main textarea, main summary, main a.button")]
                .filter((one) => !one.title.trim()).map((one) => one.outerHTML.slice(0, 160));
            """);
  }

  /** Tables that are wider than their place and do not say so. */
  private static List<?> withoutHint(Browser browser) {
    return (List<?>)
        browser.script(
            """
            return [...document.querySelectorAll("main table")].filter((one) => one.checkVisibility())
                .filter((one) => {
                  const box = one.closest(".table");
                  return !box || (box.scrollWidth > box.clientWidth + 1
                      && getComputedStyle(box.previousElementSibling).display === "none");
                }).map((one) => one.parentElement.ariaLabel ?? one.outerHTML.slice(0, 80));
            """);
  }
}
