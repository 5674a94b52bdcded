package ngd.peer.wire;

/**
 * A client of the federation and where it listens.
 *
 * @param number the client's number in the network, from 0
 * @param name what its certificate says
 */
public record PeerAddress(int number, String name, String host, int port) {}
