package ngd.app.federation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import ngd.peer.identity.Admission;
import ngd.peer.identity.Authority;
import ngd.peer.identity.CertificateRequest;
import ngd.peer.identity.Invitation;
import ngd.peer.identity.Kit;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Exposure;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.WrittenPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation admit}: invites members, approves them by spoken words, hands out kits. */
@Command(
    name = "admit",
    description = {
      "Writes an invitation for the members of a plan, takes their requests, and hands out kits"
          + " once all are approved.",
      "Send the invitation to each; each runs `ngd peer join` and reads six words to you by"
          + " telephone. Type `NAME WORDS` for each, or give --words.",
      "Members whose keys the authority has approved before need no words: after `ngd federation"
          + " add` only the new site does, and --member tells the others.",
      ""
    })
final class FederationAdmitCommand implements Callable<Integer> {
  private static final int DAYS = 365;
  private static final int LARGEST_PORT = 65535;
  private static final long GLANCE_MS = 200;

  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "PLAN",
      defaultValue = "plan.yaml",
      description = "The plan; plan.yaml by default.")
  private Path file = Path.of("plan.yaml");

  @Option(
      names = "--at",
      paramLabel = "HOST:PORT",
      description =
          "Where members reach this machine for their admission, such as north.example.org:7399.")
  private @Nullable String at;

  @Option(
      names = "--invitation",
      paramLabel = "FILE",
      defaultValue = "invitation.json",
      description = "The invitation to write; invitation.json by default.")
  private Path invitationFile = Path.of("invitation.json");

  @Option(
      names = "--words",
      paramLabel = "NAME=WORDS",
      description = "The six words that a member reads out; instead of typing them. Repeatable.")
  private List<String> words = List.of();

  @Option(
      names = "--member",
      paramLabel = "DIR",
      description =
          "Folder of a member of the federation before it grew, whose peer passes the new plan on"
              + " to all others.")
  private @Nullable Path member;

  @Mixin private AuthorityOption authority = new AuthorityOption();

  @Override
  public Integer call() throws InterruptedException {
    Console console = Objects.requireNonNull(parent).console();
    if (at == null || !at.matches("[A-Za-z0-9._-]+:\\d{1,5}|\\[[0-9a-fA-F:]+]:\\d{1,5}")) {
      throw new InvalidInput(
          "--at: must be given as HOST:PORT, where members reach this machine; got `%s`"
              .formatted(at));
    }
    int port = Integer.parseInt(at.substring(at.lastIndexOf(':') + 1));
    if (port > LARGEST_PORT) {
      throw new InvalidInput(
          "--at: the port must lie in [0, %d]; got %d".formatted(LARGEST_PORT, port));
    }
    Map<String, String> said = said();
    WrittenPlan plan = PlanReader.read(file);
    Authority signing = authority.open();
    PeerIdentity through = member == null ? null : Members.standing(member);
    if (through != null) {
      PeerUpdateCommand.requireNewer(through, plan, file.toString());
    }
    Invitation invitation = Invitation.of(signing, plan, at);
    Exposure.statements(plan.plan())
        .forEach(line -> console.err().println("ngd federation admit: " + line));
    List<String> invited = invited(plan, signing, through);
    if (invited.isEmpty()) {
      console.out().printf("the keys of all members are approved already%n");
    } else {
      try (Admission admission =
          new Admission(signing, invitation, authority.folder().resolve("requests"), port)) {
        admit(admission, signing, invitation, said, new TreeSet<>(invited), console);
      } catch (IOException e) {
        throw new InvalidInput(
            "%s: cannot be written, or %s not be listened on: %s"
                .formatted(invitationFile, at, e.getMessage()),
            e);
      }
    }
    if (through != null) {
      console
          .out()
          .printf(
              "%s; the peer of %s passes it on, and each other site says `ngd peer confirm`%n",
              PeerUpdateCommand.handIn(through, Kit.texts(signing, plan), file.toString()), member);
    }
    return Exit.DONE;
  }

  /** The words that were given with the command. */
  private Map<String, String> said() {
    Map<String, String> said = new LinkedHashMap<>();
    for (String one : words) {
      int equals = one.indexOf('=');
      if (equals < 1) {
        throw new InvalidInput("--words: the form is NAME=WORDS; got `%s`".formatted(one));
      }
      said.put(one.substring(0, equals), one.substring(equals + 1));
    }
    return said;
  }

  /**
   * Those who are new to a member, or whose keys nobody has approved; all, where there is nobody
   * such: somebody is yet to fetch a kit.
   */
  private static List<String> invited(
      WrittenPlan plan, Authority signing, @Nullable PeerIdentity through) {
    List<String> members = plan.plan().federation().members();
    List<String> before =
        through == null ? members : through.kit().plan().plan().federation().members();
    List<String> fresh =
        members.stream().filter(name -> !before.contains(name) || !signing.knows(name)).toList();
    return fresh.isEmpty() && through == null ? members : fresh;
  }

  private void admit(
      Admission admission,
      Authority signing,
      Invitation invitation,
      Map<String, String> said,
      Set<String> invited,
      Console console)
      throws IOException, InterruptedException {
    WholeFile.write(invitationFile, invitation.text());
    console
        .out()
        .printf(
            """
            %s: the invitation; send it to %s
            Each runs `ngd peer join %s --name NAME` and reads six words to you. Type each name with its words:
            """,
            invitationFile, String.join(", ", invited), invitationFile.getFileName());
    console.out().flush();
    approve(admission, invitation, signing, said, invited, console);
    admission.hand(Kit.files(signing, invitation.plan()));
    console.out().printf("all approved; handing out kits%n");
    console.out().flush();
    while (!admission.fetched().containsAll(invited)) {
      Thread.sleep(GLANCE_MS);
    }
    console.out().printf("every member has its kit%n");
  }

  /** Takes words until the keys of every member are approved. */
  private static void approve(
      Admission admission,
      Invitation invitation,
      Authority signing,
      Map<String, String> said,
      Set<String> invited,
      Console console)
      throws InterruptedException {
    BlockingQueue<String> typed = said.isEmpty() ? lines() : new LinkedBlockingQueue<>();
    List<String> members = invitation.plan().plan().federation().members();
    TreeSet<String> seen = new TreeSet<>();
    while (!members.stream().allMatch(signing::knows)
        || invited.stream()
            .map(admission::request)
            .flatMap(Optional::stream)
            .anyMatch(request -> !signing.hasApproved(request))) {
      String line = typed.poll(GLANCE_MS, TimeUnit.MILLISECONDS);
      if (line != null && !line.isBlank()) {
        String[] parts = line.strip().split("\\s+", 2);
        said.put(parts[0], parts.length > 1 ? parts[1] : "");
      }
      for (String name : members) {
        Optional<CertificateRequest> request =
            admission.request(name).filter(one -> !signing.hasApproved(one));
        if (request.isPresent() && seen.add(name)) {
          console.out().printf("%s asks%n", name);
        }
        String heard = said.get(name);
        if (request.isEmpty() || heard == null) {
          continue;
        }
        said.remove(name);
        if (invitation.matches(request.get(), heard)) {
          signing.approve(request.get(), Duration.ofDays(DAYS));
          invited.add(name);
          console.out().printf("%s: approved%n", name);
        } else {
          console
              .err()
              .printf(
                  "ngd federation admit: %s: the words must be those that the member itself reads"
                      + " out; these are not. Nothing is signed; if they are what the member reads,"
                      + " the invitation or the request was changed on its way%n",
                  name);
        }
        console.out().flush();
      }
    }
  }

  private static BlockingQueue<String> lines() {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              BufferedReader in =
                  new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
              in.lines().forEach(lines::add);
            });
    return lines;
  }
}
