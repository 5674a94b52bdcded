package ngd.app.federation;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Exit;
import ngd.core.Problems;
import ngd.peer.identity.CertificateRequest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation approve}: signs a site's request. */
@Command(
    name = "approve",
    description = {
      "Signs a site's certificate request. First compare its fingerprint with the site over a"
          + " second channel, such as the telephone.",
      ""
    })
final class FederationApproveCommand implements Callable<Integer> {
  private static final int DAYS = 365;

  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "REQUEST",
      description = "The site's certificate request, NAME.csr.")
  private @Nullable Path file;

  @Option(
      names = "--fingerprint",
      paramLabel = "WORDS",
      description = "The six words that the site reads out; `ngd peer request` prints them.")
  private @Nullable String fingerprint;

  @Option(
      names = "--days",
      paramLabel = "D",
      defaultValue = "" + DAYS,
      description = "Validity of the certificate in days; 365 by default.")
  private Integer days = DAYS;

  @Option(
      names = "--reinstate",
      description = "Also sign a key that was revoked before: only if nobody else ever had it.")
  private boolean reinstate;

  @Mixin private AuthorityOption authority = new AuthorityOption();

  @Override
  public Integer call() {
    Problems problems = new Problems();
    problems.require(
        file != null, "REQUEST: the site's certificate request must be given, such as a.csr");
    problems.require(
        fingerprint != null,
        "--fingerprint: must be given as the site reads it out; whoever could swap the request on"
            + " its way could pass for the site");
    problems.require(days >= 1 && days <= 3650, "--days: must lie in [1, 3650]; got " + days);
    problems.throwIfAny();
    CertificateRequest request = CertificateRequest.read(Objects.requireNonNull(file));
    request.requireFingerprint(Objects.requireNonNull(fingerprint));
    Duration validity = Duration.ofDays(days);
    X509Certificate made =
        reinstate
            ? authority.open().reinstate(request, validity)
            : authority.open().approve(request, validity);
    Objects.requireNonNull(parent)
        .console()
        .out()
        .printf("%s: approved until %s%n", request.site(), made.getNotAfter().toInstant());
    return Exit.DONE;
  }
}
