package ngd.peer;

import java.util.List;
import java.util.Optional;
import ngd.peer.wire.Links;
import org.jspecify.annotations.Nullable;

/**
 * Where a peer stands.
 *
 * @param stage the stage under way, from 0
 * @param round the rounds done in it
 * @param rounds the rounds it has
 * @param call the calls said so far
 * @param waitingFor the neighbours whose word is missing now
 * @param links every link
 * @param waiting why it stands still, if it does
 * @param disk why the last snapshot could not be written; null where all is well
 * @param ended whether all is done, and only neighbours may still need something
 */
public record NodeStatus(
    String name,
    int stage,
    int round,
    int rounds,
    long call,
    List<String> waitingFor,
    List<Links.Watch> links,
    Optional<Links.Waiting> waiting,
    @Nullable String disk,
    boolean ended) {
  public NodeStatus {
    waitingFor = List.copyOf(waitingFor);
    links = List.copyOf(links);
  }
}
