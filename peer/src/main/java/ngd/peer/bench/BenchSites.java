package ngd.peer.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Kit;
import ngd.peer.identity.Packing;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.WrittenPlan;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.Credentials;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;

/**
 * Sites on this machine with keys, certificates and a signed plan of their own.
 *
 * @param folder where each site has its kit in a folder of its name
 */
public record BenchSites(Path folder, List<PeerAddress> sites) {
  private static final String HOST = "127.0.0.1";
  private static final String LIST = "sites";

  public BenchSites {
    sites = List.copyOf(sites);
  }

  /** Creates this many sites in an empty folder, at ports that are free now. */
  public static BenchSites create(Path folder, int count) throws IOException {
    List<PeerAddress> sites = new ArrayList<>();
    List<Integer> ports = FreePorts.take(count);
    for (int m = 0; m < count; m++) {
      sites.add(new PeerAddress(m, "site-" + m, HOST, ports.get(m)));
    }
    List<ngd.peer.plan.Site> planned =
        sites.stream()
            .map(site -> ngd.peer.plan.Site.of(site.name(), site.host() + ":" + site.port()))
            .toList();
    Path file = folder.resolve("plan.yaml");
    String text =
        new PlanTemplate().with("federation", "bench").with("network", "complete").text(planned);
    Files.writeString(file, text);
    WrittenPlan plan = PlanReader.parse(text);
    Authority authority =
        Authority.create(folder.resolve("authority"), "bench", InstantSource.system());
    Packing.allLocal(authority, plan, file, folder);
    Files.write(
        folder.resolve(LIST), sites.stream().map(site -> String.valueOf(site.port())).toList());
    return new BenchSites(folder, sites);
  }

  /** The sites that were made in a folder. */
  public static BenchSites open(Path folder) throws IOException {
    List<PeerAddress> sites = new ArrayList<>();
    for (String port : Files.readAllLines(folder.resolve(LIST))) {
      sites.add(
          new PeerAddress(sites.size(), "site-" + sites.size(), HOST, Integer.parseInt(port)));
    }
    return new BenchSites(folder, sites);
  }

  /** One site's key and kit. */
  public PeerIdentity identity(int self) {
    String name = sites.get(self).name();
    return PeerIdentity.open(Kit.open(folder.resolve(name)), name, InstantSource.system());
  }

  /** The plan, as neighbours agree on it. */
  public static Agreement agreement(PeerIdentity self) {
    WrittenPlan plan = self.kit().plan();
    return new Agreement(plan.shortHash(), plan.text());
  }

  /** One site's way to the others. */
  public static TlsTransport transport(PeerIdentity self) {
    return new TlsTransport(
        new Credentials(self.keyManager(), self.trustManager(), PeerIdentity::siteOf), HOST);
  }
}
