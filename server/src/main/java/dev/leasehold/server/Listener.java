package dev.leasehold.server;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.server.http.ProblemErrors;
import dev.leasehold.server.security.PemTls;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The socket and the threads: Jetty, with a virtual thread for each request. */
final class Listener {
  private static final System.Logger LOG = System.getLogger(Listener.class.getName());

  /** These wait for sockets; requests are answered on virtual threads. */
  private static final int PLATFORM_THREADS = 16;

  private static final int BACKLOG = 1_024;
  private static final int MAX_HEADERS = 16 * 1_024;

  /**
   * Connections allowed in addition to those of waiting requests and of streams. Further ones are
   * not accepted until others end.
   */
  static final int MORE_CONNECTIONS = 1_000;

  /** Idle timeout while the server stops, so that kept-alive connections close soon. */
  private static final Duration IDLE_AT_END = Duration.ofMillis(100);

  private final Server server;
  private final ServerConnector connector;
  private final boolean secure;
  private final String host;

  Listener(ServerSettings settings, Handler dispatcher) {
    this.secure = settings.tls().isPresent();
    this.host = settings.host();
    QueuedThreadPool threads = new QueuedThreadPool(PLATFORM_THREADS);
    threads.setName("leasehold-http");
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("request-"));
    this.server = new Server(threads);
    this.connector = connector(settings);
    connector.setHost(settings.host());
    connector.setPort(settings.port());
    connector.setAcceptQueueSize(BACKLOG);
    connector.setIdleTimeout(settings.bounds().idle().toMillis());
    connector.setShutdownIdleTimeout(IDLE_AT_END.toMillis());
    server.addConnector(connector);
    ServerBounds bounds = settings.bounds();
    server.addBean(
        new NetworkConnectionLimit(
            Math.addExact(bounds.waiting(), bounds.streams()) + MORE_CONNECTIONS, connector));
    server.setHandler(new GracefulHandler(dispatcher));
    server.setErrorHandler(new ProblemErrors());
    server.setStopTimeout(settings.bounds().shutdown().toMillis());
  }

  private ServerConnector connector(ServerSettings settings) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendDateHeader(false);
    http.setRequestHeaderSize(MAX_HEADERS);
    // Names of keys contain slashes and percent signs, which clients encode in more than one way.
    http.setUriCompliance(
        UriCompliance.from(
            EnumSet.of(
                UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT)));
    if (settings.tls().isEmpty()) {
      return new ServerConnector(server, 1, -1, new HttpConnectionFactory(http));
    }
    ServerSettings.Tls tls = settings.tls().get();
    SslContextFactory.Server ssl = new SslContextFactory.Server();
    ssl.setKeyStore(PemTls.read(tls.certificates(), tls.privateKey()));
    ssl.setKeyStorePassword("");
    ssl.setSniRequired(false);
    http.addCustomizer(new SecureRequestCustomizer(false));
    return new ServerConnector(
        server, 1, -1, new SslConnectionFactory(ssl, "http/1.1"), new HttpConnectionFactory(http));
  }

  void start() {
    try {
      server.start();
    } catch (IOException e) {
      throw cannotListen(host, e);
    } catch (Exception e) {
      throw new IllegalStateException("the server cannot be started", e);
    }
  }

  static IllFormedException cannotListen(String host, IOException why) {
    return new IllFormedException(
        "the server cannot listen on " + host + ": is the port taken? (" + why.getMessage() + ")");
  }

  URI address() {
    String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return URI.create((secure ? "https://" : "http://") + name + ":" + connector.getLocalPort());
  }

  void stop() {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.log(Level.WARNING, "the server could not be stopped as it should", e);
    }
  }
}
