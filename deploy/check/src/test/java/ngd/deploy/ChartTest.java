package ngd.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.Helm;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chart, rendered by Helm itself. What comes out is read into the types that are generated from
 * the API of Kubernetes, where a field that Kubernetes does not have is refused.
 */
class ChartTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "ConfigMap", ConfigMap.class,
          "Service", Service.class,
          "StatefulSet", StatefulSet.class,
          "NetworkPolicy", NetworkPolicy.class);

  private final Helm chart = new Helm(Path.of("..", "chart"));

  @TempDir Path folder;

  @Test
  void lint_chart_hasNoProblem() {
    var linted = chart.lint().strict().call();
    assertThat(linted.isFailed()).as(String.join("\n", linted.getMessages())).isFalse();
  }

  @Test
  void render_withoutTheSite_saysWhatMustBeGiven() {
    assertThatThrownBy(() -> chart.template().withName("ngd").call())
        .hasMessageContaining("site: must be given");
  }

  @Test
  void render_whatASiteSays_isWhereKubernetesReadsIt() throws IOException {
    Map<String, HasMetadata> found = render(full());
    assertThat(found.keySet())
        .containsExactlyInAnyOrder("ConfigMap", "Service", "StatefulSet", "NetworkPolicy");
    PodSpec pod = pod(found);
    Container peer = pod.getContainers().getFirst();
    assertThat(peer.getImage()).isEqualTo("registry.example.org/ngd:9");
    assertThat(peer.getArgs())
        .startsWith("peer", "run", "/var/lib/ngd/site")
        .contains("--data=jdbc:postgresql://db/clinic?user=ngd&password=${PW}")
        .contains("--query=select * from \"visits\"");
    assertThat(peer.getEnvFrom().getFirst().getSecretRef().getName()).isEqualTo("database");
    assertThat(((ConfigMap) found.get("ConfigMap")).getData())
        .containsEntry("invitation.json", "{\"plan\": \"a\\nb\"}\n")
        .containsEntry("site.yaml", "askers: [north]\n");
    assertThat(pod.getInitContainers().getFirst().getCommand()).last().isEqualTo("south");
    NetworkPolicy policy = (NetworkPolicy) found.get("NetworkPolicy");
    assertThat(policy.getSpec().getIngress()).hasSize(1);
    assertThat(policy.getSpec().getIngress().getFirst().getFrom())
        .extracting(from -> from.getIpBlock().getCidr())
        .containsExactly("203.0.113.7/32", "203.0.113.8/32");
    assertThat(policy.getSpec().getEgress()).hasSize(3);
    // What selects the pods is what they are labelled with.
    Map<String, String> selector = ((Service) found.get("Service")).getSpec().getSelector();
    StatefulSet set = (StatefulSet) found.get("StatefulSet");
    assertThat(set.getSpec().getTemplate().getMetadata().getLabels())
        .containsAllEntriesOf(selector);
    assertThat(policy.getSpec().getPodSelector().getMatchLabels()).isEqualTo(selector);
    // A site has one peer.
    assertThat(set.getSpec().getReplicas()).isOne();
  }

  @Test
  void render_everyContainer_isConfined() throws IOException {
    for (String values : List.of(full(), "site: south\n", "site: south\ninvitation: '{}'\n")) {
      PodSpec pod = pod(render(values));
      assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
      assertThat(pod.getSecurityContext().getSeccompProfile().getType())
          .isEqualTo("RuntimeDefault");
      assertThat(pod.getAutomountServiceAccountToken()).isFalse();
      List<String> volumes = pod.getVolumes().stream().map(volume -> volume.getName()).toList();
      for (Container one : both(pod)) {
        assertThat(one.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(one.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(one.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        // The claim of the site is made by the set; all else must be a volume of the pod.
        assertThat(one.getVolumeMounts())
            .allMatch(mount -> volumes.contains(mount.getName()) || mount.getName().equals("site"));
      }
    }
  }

  @Test
  void render_anExistingClaim_makesNoOther() throws IOException {
    StatefulSet set =
        (StatefulSet) render("site: south\nstorage: {existingClaim: kept}\n").get("StatefulSet");
    assertThat(set.getSpec().getVolumeClaimTemplates()).isEmpty();
    assertThat(set.getSpec().getTemplate().getSpec().getVolumes())
        .anyMatch(
            volume ->
                volume.getName().equals("site")
                    && volume.getPersistentVolumeClaim().getClaimName().equals("kept"));
  }

  @Test
  void typed_aFieldThatKubernetesDoesNotHave_isRefused() {
    assertThatThrownBy(
            () -> typed(YAML.readTree("kind: Service\napiVersion: v1\nspec: {prots: []}\n")))
        .hasMessageContaining("prots");
  }

  /**
   * The oracle is the page that people read; a group such as {@code resources} stands for its
   * values.
   */
  @Test
  void values_each_isExplainedOnThePage() throws IOException {
    Set<String> explained =
        Files.readString(Path.of("../../docs/image.md"))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.split(" \\| ", 2)[0])
            .flatMap(cell -> Pattern.compile("`([^`]*)`").matcher(cell).results())
            .map(name -> name.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> values = new TreeSet<>();
    leaves(YAML.readTree(Path.of("../chart/values.yaml").toFile()), "", explained, values);
    assertThat(explained).isEqualTo(values);
  }

  private static void leaves(JsonNode node, String name, Set<String> groups, Set<String> found) {
    if (!node.isObject() || node.isEmpty() || groups.contains(name)) {
      found.add(name);
      return;
    }
    node.properties()
        .forEach(
            entry ->
                leaves(
                    entry.getValue(),
                    name.isEmpty() ? entry.getKey() : name + "." + entry.getKey(),
                    groups,
                    found));
  }

  private static List<Container> both(PodSpec pod) {
    return java.util.stream.Stream.concat(
            pod.getInitContainers().stream(), pod.getContainers().stream())
        .toList();
  }

  private static String full() {
    return """
        site: south
        image: {repository: registry.example.org/ngd, tag: "9"}
        invitation: |
          {"plan": "a\\nb"}
        rules: |
          askers: [north]
        data:
          location: jdbc:postgresql://db/clinic?user=ngd&password=${PW}
          query: select * from "visits"
          secret: database
          existingClaim: files
        service: {annotations: {example.org/internal: "true"}}
        storage: {className: fast}
        networkPolicy:
          peers: [203.0.113.7/32, 203.0.113.8/32]
          egress:
            - to: [{ipBlock: {cidr: 10.0.0.5/32}}]
        """;
  }

  private Path values(String text) throws IOException {
    return Files.writeString(folder.resolve("values.yaml"), text);
  }

  private static PodSpec pod(Map<String, HasMetadata> found) {
    return ((StatefulSet) found.get("StatefulSet")).getSpec().getTemplate().getSpec();
  }

  private Map<String, HasMetadata> render(String values) throws IOException {
    String text = chart.template().withName("ngd").withValuesFile(values(values)).call();
    Map<String, HasMetadata> found = new TreeMap<>();
    try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(text)) {
      while (documents.hasNext()) {
        JsonNode document = documents.next();
        if (!document.isEmpty()) {
          assertThat(found.put(document.get("kind").asText(), typed(document))).isNull();
        }
      }
    }
    return found;
  }

  private static HasMetadata typed(JsonNode document) throws IOException {
    Class<? extends HasMetadata> kind = KINDS.get(document.path("kind").asText());
    assertThat(kind).as(document.toString()).isNotNull();
    HasMetadata read = YAML.treeToValue(document, kind);
    // Fields without a place in the type are kept aside and written last: all must have had one.
    unknown(read, kind.getSimpleName());
    return read;
  }

  private static void unknown(Object value, String where) {
    if (value instanceof List<?> list) {
      list.forEach(one -> unknown(one, where));
    }
    if (value == null || !value.getClass().getName().startsWith("io.fabric8.")) {
      return;
    }
    for (var method : value.getClass().getMethods()) {
      if (!method.getName().startsWith("get") || method.getParameterCount() > 0) {
        continue;
      }
      try {
        Object part = method.invoke(value);
        String name = where + "." + method.getName().substring("get".length());
        if (method.getName().equals("getAdditionalProperties")) {
          assertThat((Map<?, ?>) part)
              .as(where + ": fields that Kubernetes does not have")
              .isEmpty();
        } else {
          unknown(part, name);
        }
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }
}
