package dev.leasehold.cli.store;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/**
 * A proxy between a client and PostgreSQL that drops notifications, like connection poolers that
 * give a connection to another client after each transaction.
 */
final class DeafProxy implements AutoCloseable {
  private static final int NOTIFICATION = 'A';

  private final ServerSocket listening;
  private final String url;
  private final URI server;

  /** The URL must be one without encryption, so that the proxy can parse messages. */
  DeafProxy(String url) {
    this.url = url;
    this.server = URI.create(url.substring("jdbc:".length()));
    try {
      this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return url.replace(
        server.getHost() + ":" + server.getPort(), "localhost:" + listening.getLocalPort());
  }

  private void accept() {
    while (!listening.isClosed()) {
      acceptOne();
    }
  }

  private void acceptOne() {
    try {
      Socket client = listening.accept();
      Socket database = new Socket(server.getHost(), server.getPort());
      Thread.ofVirtual().start(() -> pass(client, database, DeafProxy::everything));
      Thread.ofVirtual().start(() -> pass(database, client, DeafProxy::allButNotifications));
    } catch (IOException e) {
      // The proxy was closed, or the client has gone.
      return;
    }
  }

  /** One direction of a connection. */
  private interface Passing {
    void pass(DataInputStream in, DataOutputStream out) throws IOException;
  }

  private static void pass(Socket from, Socket to, Passing passing) {
    try (from;
        to) {
      passing.pass(
          new DataInputStream(from.getInputStream()), new DataOutputStream(to.getOutputStream()));
    } catch (IOException e) {
      // One side has ended the connection.
      return;
    }
  }

  private static void everything(DataInputStream in, DataOutputStream out) throws IOException {
    in.transferTo(out);
  }

  private static void allButNotifications(DataInputStream in, DataOutputStream out)
      throws IOException {
    while (true) {
      int type = in.readUnsignedByte();
      int length = in.readInt();
      byte[] rest = in.readNBytes(length - Integer.BYTES);
      if (type != NOTIFICATION) {
        out.writeByte(type);
        out.writeInt(length);
        out.write(rest);
        out.flush();
      }
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
