package dev.leasehold.benchmarks.throughput;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One persistent connection, with as little overhead as HTTP allows. */
final class HttpConnection implements AutoCloseable {
  private static final int BUFFER = 512;
  private static final String HEADERS =
      " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

  private final Socket socket = new Socket();
  private final InputStream in;

  HttpConnection(URI server) throws IOException {
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()));
    in = new BufferedInputStream(socket.getInputStream(), BUFFER);
  }

  void send(String method, String path, String body) throws IOException {
    String head = method + " " + path + HEADERS;
    String length = body.isEmpty() ? "\r\n" : "Content-Length: " + body.length() + "\r\n\r\n";
    socket.getOutputStream().write((head + length + body).getBytes(StandardCharsets.US_ASCII));
  }

  /** Reads a complete answer, which must be a success, and returns its body. */
  String answer() throws IOException {
    String status = line();
    int length = 0;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(lower.indexOf(':') + 1).strip());
      }
    }
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException(status + ": " + body);
    }
    return body;
  }

  String post(String path, String body) throws IOException {
    send("POST", path, body);
    return answer();
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int read = in.read(); read != '\n'; read = in.read()) {
      if (read < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (read != '\r') {
        line.append((char) read);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
