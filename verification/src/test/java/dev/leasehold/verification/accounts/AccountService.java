package dev.leasehold.verification.accounts;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.leasehold.cli.demo.Account;
import dev.leasehold.cli.demo.AccountTable;
import dev.leasehold.cli.demo.Entry;
import dev.leasehold.cli.demo.MarkedAccount;
import dev.leasehold.cli.demo.Permit;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.http.FenceFilter;
import dev.leasehold.fence.http.RefusedException;
import dev.leasehold.fence.http.SealHandler;
import dev.leasehold.fence.jdbc.JdbcFence;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * Keeps two accounts for whoever sends requests: one behind a fence, and one that takes all of
 * them.
 */
public final class AccountService implements AutoCloseable {
  static final int OK = 200;
  static final String FENCED = "/fenced";
  static final String FENCED_LOG = "/fenced-log";
  static final String SEAL = "/seal";
  static final String OPEN = "/open";
  static final String OPEN_LOG = "/open-log";

  private final HttpServer server;
  private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
  private final Runnable goodbye;

  private AccountService(HttpServer server, Runnable goodbye) {
    this.server = server;
    this.goodbye = goodbye;
  }

  /** What stands before the account that is fenced. */
  private record Door(FenceFilter filter, SealHandler seal) {}

  /** Handles a request to the account that is fenced. */
  private interface Taking {
    void take(Claim claim, Entry entry) throws Exception;
  }

  /** The log of an account. */
  private interface Log {
    List<Entry> read() throws Exception;
  }

  /** In the memory of this process; each request is handled inside of the fence. */
  public static AccountService inMemory(LeaseKey key) throws IOException {
    MemoryFence fence = new MemoryFence("account", new RefusalTrail(InstantSource.system()));
    List<Entry> log = new CopyOnWriteArrayList<>();
    AccountService service = new AccountService(listening(), () -> {});
    Door door = new Door(FenceFilter.around(fence, key), new SealHandler(fence, key));
    service.serve(door, (claim, entry) -> log.add(entry), () -> log);
    return service;
  }

  /** In a database; each request is one transaction there, with the check of its mark. */
  public static AccountService onMark(String url, LeaseKey key) throws Exception {
    AccountTable table = new AccountTable(url, "demo_service", key);
    Account account = new MarkedAccount(table);
    account.prepare();
    JdbcFence fence = JdbcFence.before("account", table.database());
    AccountService service = new AccountService(listening(), account::close);
    service.serve(
        new Door(FenceFilter.handlerChangesThrough(fence, key), new SealHandler(fence, key)),
        (claim, entry) -> {
          Permit permit = new Permit(claim, Duration.ZERO);
          if (account.write(permit, List.of(entry)) instanceof Admission.Refused refused) {
            throw new RefusedException(refused);
          }
        },
        account::read);
    return service;
  }

  private static HttpServer listening() throws IOException {
    return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  private void serve(Door door, Taking taking, Log log) {
    List<Entry> open = new CopyOnWriteArrayList<>();
    server
        .createContext(
            FENCED,
            answering(
                exchange -> {
                  taking.take(FenceFilter.claimOf(exchange), entry(exchange));
                  return "taken\n";
                }))
        .getFilters()
        .add(door.filter());
    server.createContext(SEAL, door.seal());
    server.createContext(FENCED_LOG, answering(exchange -> text(log.read())));
    server.createContext(
        OPEN,
        answering(
            exchange -> {
              open.add(entry(exchange));
              return "taken\n";
            }));
    server.createContext(OPEN_LOG, answering(exchange -> text(open)));
    // One that is stopped in the midst of a request holds up nobody else's.
    server.setExecutor(requests);
    server.start();
  }

  /** What is answered. */
  private interface Body {
    String of(HttpExchange exchange) throws Exception;
  }

  private static HttpHandler answering(Body body) {
    return exchange -> {
      byte[] bytes;
      try {
        bytes = body.of(exchange).getBytes(StandardCharsets.UTF_8);
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException("the account could not be used", e);
      }
      exchange.sendResponseHeaders(OK, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    };
  }

  private static Entry entry(HttpExchange exchange) throws IOException {
    byte[] bytes = exchange.getRequestBody().readAllBytes();
    return Entry.parse(new String(bytes, StandardCharsets.UTF_8));
  }

  private static String text(List<Entry> log) {
    return log.stream().map(entry -> entry + "\n").collect(Collectors.joining());
  }

  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    requests.close();
    goodbye.run();
  }
}
