package ngd.app.federation;

import java.nio.file.Path;
import ngd.app.terminal.Console;
import ngd.core.InvalidInput;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Kit;
import ngd.peer.identity.Packing;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.WrittenPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a change of a standing federation reaches its members. */
final class AmendmentOptions {
  @Option(
      names = "--member",
      paramLabel = "DIR",
      description = "Folder of a member whose peer passes the change on.")
  private @Nullable Path member;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "kits",
      description = "Folder for the new kits; ./kits by default.")
  private Path out = Path.of("kits");

  /** The member that was named. */
  PeerIdentity member() {
    if (member == null) {
      throw new InvalidInput("--member: must be given: the folder of the site that signs");
    }
    return Members.standing(member);
  }

  /** Refuses folders that cannot be used, before anything is signed. */
  void check() {
    Packing.requireFolder(out);
    if (member != null) {
      Members.standing(member);
    }
  }

  /** Signs the changed plan, writes it and its kits, and hands it in. */
  void write(
      Authority signing,
      WrittenPlan plan,
      WrittenPlan changed,
      Path file,
      String what,
      Console console) {
    PeerIdentity through = member == null ? null : Members.standing(member);
    Path kept = Packing.replace(signing, plan, changed, file);
    Packing.zipped(signing, changed, file, out);
    if (through != null) {
      Members.folder(through).change(Kit.texts(signing, changed), changed.shortHash());
    }
    console
        .out()
        .printf(
            """
            %s: plan %s %s, signed; the previous plan is kept as %s
            %s
            """,
            file,
            changed.shortHash(),
            what,
            kept,
            member == null
                ? "Hand a kit of %s in at any member: `ngd peer update KIT.zip`; its peer passes the change on."
                    .formatted(out)
                : "The peer of %s passes the change on to all others.".formatted(member));
  }
}
