package dev.leasehold.fence.http;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service behind a filter at {@code /change}, which is sealed at {@code /seal}. */
final class Service implements AutoCloseable {
  static final LeaseKey KEY = LeaseKey.of("lock", "a");

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer server;

  Service(Fence fence, FenceFilter filter, HttpHandler handler) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/change", handler).getFilters().add(filter);
    server.createContext("/seal", new SealHandler(fence, KEY));
    server.start();
  }

  static Claim claim(long token) {
    return new Claim(KEY, new Token(token), "worker 7 in Zürich");
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  URI at(String path) {
    return URI.create("http://" + address().getHostString() + ":" + address().getPort() + path);
  }

  HttpRequest request(String path) {
    return HttpRequest.newBuilder(at(path))
        .POST(HttpRequest.BodyPublishers.ofString("body"))
        .build();
  }

  FencedResponse<String> change(long token) throws IOException, InterruptedException {
    return fenced().send(request("/change"), claim(token), HttpResponse.BodyHandlers.ofString());
  }

  FencedHttp fenced() {
    return new FencedHttp(client);
  }

  HttpResponse<String> bare(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    client.shutdownNow();
    server.stop(0);
    threads.close();
  }
}
