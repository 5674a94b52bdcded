package ngd.peer.wire;

import io.grpc.Attributes;
import io.grpc.BindableService;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Mutual TLS 1.3: both sides show a certificate, and only those of neighbours are taken.
 *
 * @param bind the address at which to listen, IPv4 or IPv6, or {@link #EVERYWHERE}
 * @param streams how many streams one neighbour may open at a time
 */
public record TlsTransport(Credentials credentials, String bind, int streams) implements Transport {
  /** All addresses of this machine, of both kinds where it has both. */
  public static final String EVERYWHERE = "*";

  /** What a piece of a message costs beside its bytes. */
  private static final int ENVELOPE = 1 << 10;

  /**
   * How long an idle connection may be silent before the other side is asked for a sign of life.
   */
  private static final long SILENCE_S = 10;

  /** A few compressed bytes could unfold to any number. */
  private static final DecompressorRegistry UNCOMPRESSED =
      DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false);

  /** For one run: one stream from each neighbour. */
  public TlsTransport(Credentials credentials, String bind) {
    this(credentials, bind, 1);
  }

  @Override
  public Server serve(
      PeerAddress self, Neighbours neighbours, BindableService service, Limits limits)
      throws IOException {
    // From now on failed handshakes are seen.
    Handshakes.failed();
    SslContext tls =
        GrpcSslContexts.configure(SslContextBuilder.forServer(credentials.keys()))
            .trustManager(new PinnedTrust(credentials, neighbours, null))
            .clientAuth(ClientAuth.REQUIRE)
            .protocols("TLSv1.3")
            .build();
    return NettyServerBuilder.forAddress(address(self.port()))
        .sslContext(tls)
        .bossEventLoopGroup(EventLoops.GROUP)
        .workerEventLoopGroup(EventLoops.GROUP)
        .channelType(EventLoops.SERVER)
        .directExecutor()
        .maxInboundMessageSize(limits.pieceBytes() + ENVELOPE)
        .maxInboundMetadataSize(8 * ENVELOPE)
        .maxConcurrentCallsPerConnection(streams)
        .decompressorRegistry(UNCOMPRESSED)
        .handshakeTimeout(SILENCE_S, TimeUnit.SECONDS)
        .permitKeepAliveTime(SILENCE_S / 2, TimeUnit.SECONDS)
        .keepAliveTime(SILENCE_S, TimeUnit.SECONDS)
        .keepAliveTimeout(SILENCE_S, TimeUnit.SECONDS)
        .addService(service)
        .build()
        .start();
  }

  private InetSocketAddress address(int port) {
    return bind.equals(EVERYWHERE)
        ? new InetSocketAddress(port)
        : new InetSocketAddress(bind.replaceAll("[\\[\\]]", ""), port);
  }

  @Override
  public ManagedChannel dial(PeerAddress other, Neighbours neighbours, Limits limits) {
    try {
      SslContext tls =
          GrpcSslContexts.configure(SslContextBuilder.forClient())
              .keyManager(credentials.keys())
              .trustManager(new PinnedTrust(credentials, neighbours, other))
              .protocols("TLSv1.3")
              .build();
      return NettyChannelBuilder.forAddress(new InetSocketAddress(other.host(), other.port()))
          .sslContext(tls)
          // The trust manager asks for the site's own name; the address may be any.
          .overrideAuthority("peer")
          .eventLoopGroup(EventLoops.GROUP)
          .channelType(EventLoops.CHANNEL)
          .directExecutor()
          .disableRetry()
          .maxInboundMessageSize(limits.pieceBytes() + ENVELOPE)
          .maxInboundMetadataSize(8 * ENVELOPE)
          .decompressorRegistry(UNCOMPRESSED)
          .keepAliveTime(SILENCE_S, TimeUnit.SECONDS)
          .keepAliveTimeout(SILENCE_S, TimeUnit.SECONDS)
          .build();
    } catch (SSLException unusable) {
      throw new IllegalStateException("this site's key or certificate cannot be used", unusable);
    }
  }

  @Override
  public String provenName(Attributes connection) throws Refused {
    @Nullable SSLSession session = connection.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    if (session == null) {
      throw new Refused(Reason.CERTIFICATE, "a connection must be encrypted; this one is not");
    }
    try {
      X509Certificate[] chain =
          Arrays.stream(session.getPeerCertificates())
              .map(X509Certificate.class::cast)
              .toArray(X509Certificate[]::new);
      // Again, though the handshake did: a resumed session skips it, and lists grow.
      credentials.trust().checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
      return credentials.names().site(chain[0]);
    } catch (SSLException | CertificateException refused) {
      throw new Refused(Reason.CERTIFICATE, String.valueOf(refused.getMessage()));
    }
  }
}
