package ngd.peer.wire;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;

/**
 * The threads that carry all connections of this process: few, since a peer has few neighbours and
 * its rounds want the cores.
 */
final class EventLoops {
  private static final boolean EPOLL = Epoll.isAvailable();

  static final EventLoopGroup GROUP =
      new MultiThreadIoEventLoopGroup(
          Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4),
          Thread.ofPlatform().daemon().name("ngd-peer-wire-", 0).factory(),
          EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());

  static final Class<? extends Channel> CHANNEL =
      EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;

  static final Class<? extends ServerChannel> SERVER =
      EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;

  private EventLoops() {}
}
