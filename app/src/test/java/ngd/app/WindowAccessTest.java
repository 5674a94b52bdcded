package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.app.federation.WindowFederations;
import ngd.app.fit.FitTrialFactory;
import ngd.app.window.Window;
import ngd.app.window.WindowSettings;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is turned away, by requests that no honest page sends; and what no request can reach. */
class WindowAccessTest {
  @TempDir private Path folder;
  private Window window;
  private int port;
  private String token;

  @BeforeEach
  void open() throws IOException {
    Path runs = Files.createDirectories(folder.resolve("runs"));
    Files.writeString(folder.resolve("secret.json"), "{\"secret\": 1}");
    assertThat(
            Command.line(
                    "fit --simulate linear --rows 40 --clients 4 --network complete --alpha 0.05"
                        + " --rounds 5 --out "
                        + runs.resolve("run"))
                .code())
        .isZero();
    Files.createSymbolicLink(runs.resolve("run/link.json"), folder.resolve("secret.json"));
    Files.createDirectories(folder.resolve("outside"));
    Files.writeString(folder.resolve("outside/manifest.json"), "{\"secret\": 1}");
    Files.createSymbolicLink(runs.resolve("way-out"), folder.resolve("outside"));
    window =
        Window.open(
            new WindowSettings(
                InetAddress.getLoopbackAddress(), 0, Optional.empty(), runs, List.of()),
            new FitTrialFactory(),
            new WindowFederations(List.of()));
    URI address = URI.create(window.address());
    port = address.getPort();
    token = address.getQuery().substring("token=".length());
  }

  @AfterEach
  void close() {
    window.close();
  }

  private Map<String, String> honest() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Host", "127.0.0.1:" + port);
    headers.put("Origin", "http://127.0.0.1:" + port);
    headers.put("Sec-Fetch-Site", "same-origin");
    headers.put("Cookie", "ngd-%d=%s".formatted(port, token));
    return headers;
  }

  private RawHttp get(String path, Map<String, String> headers) throws IOException {
    return RawHttp.send(port, "GET", path, headers, "");
  }

  private RawHttp get(String path) throws IOException {
    return get(path, honest());
  }

  private RawHttp make(Map<String, String> headers) throws IOException {
    return RawHttp.send(
        port, "POST", "/api/network/make", headers, "{\"network\": \"circle:1\", \"clients\": 4}");
  }

  @Test
  void make_networkThatChanges_saysWhatToDoInstead() throws IOException {
    RawHttp answer =
        RawHttp.send(
            port,
            "POST",
            "/api/network/make",
            honest(),
            "{\"network\": \"base:1\", \"clients\": 5}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.body())
        .contains("the designer draws constant networks; `base:1` changes from round to round");
  }

  @Test
  void anyRequest_withTokenHostAndOrigin_isServed() throws IOException {
    assertThat(make(honest()).status()).isEqualTo(200);
    RawHttp page = get("/");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.head())
        .containsIgnoringCase(
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'")
        .containsIgnoringCase("X-Content-Type-Options: nosniff")
        .containsIgnoringCase("frame-ancestors 'none'")
        .doesNotContain("unsafe-inline")
        .doesNotContainIgnoringCase("Access-Control-Allow-Origin");
    assertThat(page.body())
        .doesNotContain("style=")
        .doesNotContain("onclick=")
        .doesNotContain("<style");
  }

  @Test
  void theOpenedAddress_bringsTheTokenAndGetsACookieForThisPageOnly() throws IOException {
    Map<String, String> fresh = Map.of("Host", "127.0.0.1:" + port);
    RawHttp page = get("/?token=" + token, fresh);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.head())
        .contains("HttpOnly; SameSite=Strict")
        .contains("ngd-" + port + "=" + token);
    RawHttp wrong = get("/?token=" + token.substring(1) + "x", fresh);
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.head()).doesNotContainIgnoringCase("Set-Cookie");
    assertThat(get("/api/runs?token=" + token, fresh).status()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/main.js",
        "/api/runs",
        "/api/trials/methods",
        "/api/members",
        "/api/members/0",
        "/lib/chart.js"
      })
  void anyRequest_withoutToken_isTurnedAway(String path) throws IOException {
    Map<String, String> headers = honest();
    headers.remove("Cookie");
    assertThat(get(path, headers).status()).isEqualTo(401);
    headers.put("Cookie", "ngd-%d=%s".formatted(port, "x".repeat(token.length())));
    assertThat(get(path, headers).status()).isEqualTo(401);
  }

  @Test
  void anyRequest_ofAnotherPage_isTurnedAway() throws IOException {
    Map<String, String> headers = honest();
    headers.put("Origin", "http://evil.example");
    assertThat(make(headers).status()).isEqualTo(403);
    assertThat(get("/api/runs", headers).status()).isEqualTo(403);
    headers.put("Origin", "http://127.0.0.1:" + (port + 1));
    assertThat(make(headers).status()).isEqualTo(403);
    headers.put("Origin", "null");
    assertThat(make(headers).status()).isEqualTo(403);
    headers.remove("Origin");
    assertThat(make(headers).status()).as("a change must say where it comes from").isEqualTo(403);
    headers.put("Sec-Fetch-Site", "same-site");
    assertThat(get("/api/runs", headers).status()).isEqualTo(403);
    headers.put("Sec-Fetch-Site", "cross-site");
    assertThat(get("/api/runs", headers).status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example:PORT",
        "localhost.evil.example:PORT",
        "127.0.0.1",
        "127.0.0.1:1",
        "[::1",
        ""
      })
  void anyRequest_thatNamesAnotherHost_isTurnedAway(String host) throws IOException {
    Map<String, String> headers = honest();
    headers.put("Host", host.replace("PORT", Integer.toString(port)));
    headers.remove("Origin");
    assertThat(get("/api/runs", headers).status()).isIn(400, 421);
    assertThat(get("/?token=" + token, headers).status()).isIn(400, 421);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name=..&file=secret.json",
        "name=run&file=..%2F..%2Fsecret.json",
        "name=run%2F..%2F..&file=secret.json",
        "name=run&file=link.json",
        "name=way-out&file=manifest.json",
        "name=%2F&file=secret.json",
        "name=run&file=%00.json",
        "name=run%00&file=result.json"
      })
  void aFile_outsideTheFolderOfRuns_isNotThere(String query) throws IOException {
    RawHttp answer = get("/api/runs/file?" + query);
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).doesNotContain("\"secret\": 1");
  }

  /** What a run is made of may be a link too: the window must not read through it. */
  @ParameterizedTest
  @ValueSource(strings = {"manifest.json", "result.json", "trace.csv"})
  void runs_whoseOwnFilesAreLinksOut_showNothingOfWhatTheyLeadTo(String file) throws IOException {
    Path run = folder.resolve("runs/run");
    Files.move(run.resolve(file), folder.resolve("moved"));
    Files.writeString(
        folder.resolve("moved"),
        Files.readString(folder.resolve("moved")).replace("linear", "se-cret"));
    Files.createSymbolicLink(run.resolve(file), folder.resolve("moved"));
    assertThat(get("/api/runs").body()).contains("symbolic link").doesNotContain("se-cret");
    for (String query :
        List.of("one?name=run", "figure?name=run&format=svg", "file?name=run&file=" + file)) {
      RawHttp answer = get("/api/runs/" + query);
      assertThat(answer.status())
          .as(query)
          .isIn(query.startsWith("one") ? 200 : 422, 400, 404, 422);
      assertThat(answer.body()).as(query).doesNotContain("se-cret");
    }
  }

  @Test
  void runs_whereALinkLeadsOut_doNotFollowIt() throws IOException {
    assertThat(get("/api/runs/file?name=run&file=result.json").status()).isEqualTo(200);
    assertThat(get("/api/runs").body())
        .contains("\"run\"")
        .doesNotContain("way-out")
        .doesNotContain("secret");
    assertThat(get("/api/runs/one?name=way-out").status()).isEqualTo(404);
    assertThat(get("/api/runs/figure?name=..&format=svg").status()).isEqualTo(404);
    assertThat(get("/api/runs/report?name=..").status()).isEqualTo(404);
    assertThat(get("/api/runs/report?name=way-out").status()).isEqualTo(404);
    assertThat(get("/api/runs/report?name=run").body()).contains("must be from a pooled fit");
    assertThat(get("/api/runs/forest?name=way-out&format=svg").status()).isEqualTo(404);
    assertThat(
            RawHttp.send(
                    port,
                    "POST",
                    "/api/runs/tags",
                    honest(),
                    "{\"name\": \"../outside\", \"tags\": [\"x\"]}")
                .status())
        .isEqualTo(404);
    assertThat(folder.resolve("outside/tags.json")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../pom.xml",
        "/..%2f..%2fpom.xml",
        "/lib/../main.js",
        "/lib/other.js",
        "/Window.class",
        "/package-info.class"
      })
  void aPage_thatIsNone_isNotThere(String path) throws IOException {
    assertThat(get(path).status()).isIn(400, 404);
  }

  @Test
  void aPageOfARun_runsNothing() throws IOException {
    Files.writeString(folder.resolve("runs/run/report.html"), "<script>alert(1)</script>");
    assertThat(get("/api/runs/file?name=run&file=report.html").head())
        .containsIgnoringCase(
            "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
                + " sandbox");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "example.org:80",
        "169.254.169.254:80",
        "192.168.0.1:80",
        "127.0.0.1.example.org:80",
        "127.0.0.1:80@example.org:80",
        "127.0.0.1:99999",
        "127.0.0.1:80/admin",
        "user@127.0.0.1:80",
        "[::ffff:192.168.0.1]:80"
      })
  void peers_beyondThisMachine_areNotAsked(String address) throws IOException {
    RawHttp answer =
        get(
            "/api/peers/events?at="
                + java.net.URLEncoder.encode(address, java.nio.charset.StandardCharsets.UTF_8));
    assertThat(answer.status()).as(answer.body()).isEqualTo(422);
  }

  @Test
  void trials_thatNameFilesOrTooMuch_areRefused() throws IOException {
    for (String options :
        List.of(
            "{\"data\": \"/etc/passwd\"}",
            "{\"out\": \"/tmp/x\"}",
            "{\"simulate\": \"linear\", \"network\": \"file:/etc/passwd\"}",
            "{\"clients\": \"100000\"}",
            "{\"rows\": \"99999999999\"}")) {
      RawHttp answer =
          RawHttp.send(
              port, "POST", "/api/trials", honest(), "{\"options\": %s}".formatted(options));
      assertThat(answer.status()).as(options).isEqualTo(422);
    }
    RawHttp missing =
        RawHttp.send(
            port, "POST", "/api/trials", honest(), "{\"options\": {\"simulate\": \"linear\"}}");
    assertThat(missing.status()).isEqualTo(422);
    assertThat(missing.body())
        .contains("Clients: must be given", "Rounds: must be given", "Network: must be given")
        .doesNotContain("--");
  }

  private String post(String path, String body) throws IOException {
    RawHttp answer = RawHttp.send(port, "POST", path, honest(), body);
    return answer.status() + " " + answer.body();
  }

  /** A name of a new run is one folder directly below, or nothing is written anywhere. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "../out",
        "/tmp/out",
        "a/b",
        ".hidden",
        "",
        "run",
        "way-out",
        "x y",
        "..",
        "\\u0000"
      })
  void trials_savedUnderAnotherName_areRefusedAndWriteNothing(String name) throws IOException {
    RawHttp begun =
        RawHttp.send(
            port,
            "POST",
            "/api/trials",
            honest(),
            "{\"options\": {\"simulate\": \"linear\", \"rows\": 40, \"clients\": 4, \"network\":"
                + " \"complete\", \"alpha\": 0.05, \"rounds\": 5}}");
    String id = begun.body().replaceAll("(?s).*\"id\" : \"([^\"]+)\".*", "$1");
    List<Path> before = everything();
    assertThat(post("/api/trials/%s/save".formatted(id), "{\"name\": \"%s\"}".formatted(name)))
        .startsWith("422 ");
    assertThat(everything()).isEqualTo(before);
    Map<String, String> foreign = honest();
    foreign.put("Origin", "http://evil.example");
    assertThat(
            RawHttp.send(
                    port,
                    "POST",
                    "/api/trials/%s/save".formatted(id),
                    foreign,
                    "{\"name\": \"ok\"}")
                .status())
        .isEqualTo(403);
    assertThat(folder.resolve("runs/ok")).doesNotExist();
  }

  private List<Path> everything() throws IOException {
    try (var files = Files.walk(folder)) {
      return files.sorted().toList();
    }
  }

  /** Members are numbered; whatever else is named is not there, and no folder can be named. */
  @Test
  void members_thatTheWindowWasNotGiven_areNotThere() throws IOException {
    assertThat(get("/api/members").body()).contains("\"members\" : [ ]");
    for (String path : List.of("0", "-1", "99999999999", "..", "%2e%2e", "0/answer?question=x")) {
      assertThat(get("/api/members/" + path).status()).as(path).isIn(400, 404);
    }
    assertThat(post("/api/members/0/ask", "{\"options\": {}}")).startsWith("404 ");
    Command refused = Command.line("ui --no-browser --member " + folder);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains(folder.toString());
  }

  /** What sites learn is computed from the page's own links; no file is read for it. */
  @Test
  void exposure_thatNamesFilesOrTooMuch_isRefusedInTheWordsOfTheForm() throws IOException {
    String question =
        "\"options\": {\"formula\": \"y ~ x\", \"family\": \"gaussian\"}, \"coalition\": 1";
    assertThat(
            post(
                "/api/exposure",
                "{\"network\": \"ring:1\", \"clients\": 4, %s}".formatted(question)))
        .startsWith("200 ")
        .contains("the other 3");
    assertThat(
            post(
                "/api/exposure",
                "{\"network\": \"file:/etc/passwd\", \"clients\": 4, %s}".formatted(question)))
        .startsWith("422 ")
        .contains("files are imported");
    assertThat(
            post(
                "/api/exposure",
                "{\"network\": \"ring:1\", \"clients\": 400, %s}".formatted(question)))
        .startsWith("422 ")
        .contains("at most 60 sites");
    // A word that would be another line of the plan stays a word.
    assertThat(
            post(
                "/api/exposure",
                "{\"network\": \"ring:1\", \"clients\": 4, \"options\": {\"formula\": \"y ~ x\\n"
                    + "network: file:/etc/passwd\", \"family\": \"gaussian\"}, \"coalition\": 1}"))
        .startsWith("422 ")
        .doesNotContain("root:");
    assertThat(get("/api/exposure").status()).isEqualTo(405);
  }

  /** The links are read where they are: no file is written for them, and none is named. */
  @Test
  void trials_ofADrawnNetwork_showACommandForTheExportedFile() throws IOException {
    String body =
        "{\"options\": {\"simulate\": \"linear\", \"rows\": 40, \"clients\": 2, \"alpha\": 0.05,"
            + " \"rounds\": 5}, \"edges\": \"%s\"}";
    RawHttp begun =
        RawHttp.send(
            port,
            "POST",
            "/api/trials",
            honest(),
            body.formatted("client,hears,weight\\n0,1,0.5\\n0,0,0.5\\n1,0,1\\n"));
    assertThat(begun.status()).as(begun.body()).isEqualTo(200);
    assertThat(begun.body()).contains("--network file:edges.csv");
    RawHttp wrong =
        RawHttp.send(
            port, "POST", "/api/trials", honest(), body.formatted("client,hears\\n0,1\\n1,7\\n"));
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.body()).contains("drawn network, line 3, column `hears`");
  }

  @Test
  void trials_moreThanTheirNumber_endTheOldestThatNobodyWatches() throws IOException {
    String body =
        "{\"options\": {\"simulate\": \"linear\", \"rows\": 40, \"clients\": 4, \"network\":"
            + " \"complete\", \"alpha\": 0.05, \"rounds\": 5}}";
    String first = "";
    for (int i = 0; i < 6; i++) {
      RawHttp begun = RawHttp.send(port, "POST", "/api/trials", honest(), body);
      assertThat(begun.status()).isEqualTo(200);
      first =
          first.isEmpty() ? begun.body().replaceAll("(?s).*\"id\" : \"([^\"]+)\".*", "$1") : first;
    }
    assertThat(get("/api/trials/" + first + "/client?client=0").status()).isEqualTo(404);
  }

  @Test
  void settings_beyondThisMachine_askForATokenOfOnesOwn() throws IOException {
    InetAddress anywhere = InetAddress.getByAddress(new byte[4]);
    assertThatThrownBy(() -> new WindowSettings(anywhere, 0, Optional.empty(), folder, List.of()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("--token of your own is needed");
    assertThatThrownBy(
            () -> new WindowSettings(anywhere, 0, Optional.of("short"), folder, List.of()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("can be guessed");
    Command refused = Command.line("ui --bind 0.0.0.0 --no-browser");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(Command.line("ui --runs " + folder.resolve("none")).code()).isEqualTo(2);
    assertThat(Command.line("ui --bind somewhere").err()).contains("must be a numeric address");
    assertThat(Command.line("ui --port " + port + " --no-browser").err()).contains("is not");
  }
}
