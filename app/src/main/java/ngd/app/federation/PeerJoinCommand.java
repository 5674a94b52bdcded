package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.file.WholeFile;
import ngd.peer.identity.Admission;
import ngd.peer.identity.CertificateRequest;
import ngd.peer.identity.Invitation;
import ngd.peer.identity.Kit;
import ngd.peer.plan.SitePolicy;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer join}: from an invitation to a folder that {@code ngd peer run} runs. */
@Command(
    name = "join",
    description = {
      "Joins a federation by its invitation: creates this member's keys, asks for admission and"
          + " waits for the kit.",
      "Read the six words that it prints to whoever invited you, by telephone; start the peer when"
          + " they have confirmed them.",
      ""
    })
final class PeerJoinCommand implements Callable<Integer> {
  private static final long GLANCE_MS = 500;

  @ParentCommand private @Nullable PeerCommand parent;

  @Parameters(arity = "0..1", paramLabel = "INVITATION", description = "The invitation's file.")
  private @Nullable Path file;

  @Option(names = "--name", paramLabel = "NAME", description = "This member's name in the plan.")
  private @Nullable String name;

  @Option(
      names = "--into",
      paramLabel = "DIR",
      description = "Folder of the member, created where needed; by default its name.")
  private @Nullable Path into;

  @Override
  public Integer call() throws InterruptedException {
    Console console = Objects.requireNonNull(parent).console();
    Problems problems = new Problems();
    problems.require(file != null, "INVITATION: the invitation's file must be given");
    problems.require(name != null, "--name: this member's name in the plan must be given");
    problems.throwIfAny();
    Invitation invitation = Invitation.read(Objects.requireNonNull(file));
    String member = Objects.requireNonNull(name);
    if (!invitation.plan().plan().federation().members().contains(member)) {
      throw new InvalidInput(
          "--name: must be a member of the plan, one of %s; got `%s`"
              .formatted(invitation.plan().plan().federation().members(), member));
    }
    Path folder = into == null ? Path.of(member) : into;
    if (Files.exists(folder.resolve("plan.yaml"))) {
      throw new InvalidInput("%s: holds a kit already; give another folder".formatted(folder));
    }
    try {
      WholeFile.Access.PRIVATE.createFolders(folder);
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be made: %s".formatted(folder, e.getMessage()), e);
    }
    CertificateRequest request = CertificateRequest.make(member, folder);
    if (invitation.plan().plan().names().contains(member)) {
      SitePolicy.writeTemplate(folder);
    }
    Admission.ask(invitation, request);
    console
        .out()
        .printf(
            """
            Read these six words to whoever invited you, by telephone:

              %s

            Waiting for the kit …
            """,
            invitation.fingerprint(request));
    console.out().flush();
    Optional<Map<String, String>> kit = Admission.fetch(invitation, member);
    while (kit.isEmpty()) {
      Thread.sleep(GLANCE_MS);
      kit = Admission.fetch(invitation, member);
    }
    Kit.written(kit.get(), folder);
    Kit.open(folder);
    console
        .out()
        .printf(
            """
            %s: the kit of federation %s, plan %s.
            Start the peer only if they have confirmed your words: `ngd peer run %s%s`
            """,
            folder,
            invitation.plan().plan().federation().name(),
            invitation.plan().shortHash(),
            folder,
            invitation.plan().plan().names().contains(member) ? " --data …" : "");
    return Exit.DONE;
  }
}
