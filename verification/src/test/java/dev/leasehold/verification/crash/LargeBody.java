package dev.leasehold.verification.crash;

import dev.leasehold.remote.api.Operation;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A body of the largest size: a beginning, and the same again and again until it is full. It is
 * sent whether or not the server has answered already, as a client would.
 */
enum LargeBody {
  EMPTY_OBJECTS("/v1/leases/batch", "", "{},"),
  EMPTY_ITEMS("/v1/leases/batch", "{\"commands\":[", "{},"),
  EMPTY_LEASES("/v1/leases/renew", "{\"instance\":\"" + "0".repeat(32) + "\",\"leases\":[", "{},"),
  EMPTY_OBJECTS_IN_AN_ITEM(
      "/v1/leases/batch", "{\"commands\":[{\"verb\":\"acquire\",\"x\":[", "{},"),
  EMPTY_OBJECTS_BESIDE_THE_ITEMS("/v1/objects/batch", "{\"x\":[", "{},"),
  NESTED("/v1/leases/batch", "{\"commands\":", "["),
  ONE_STRING("/v1/objects/batch", "{\"commands\":[{\"payloadBase64\":\"", "aaaa"),
  MANY_STRINGS("/v1/ledger", "{\"entries\":[{\"x\":[", "\"\","),
  ONE_NUMBER("/v1/leases/renew", "{\"leases\":[{\"token\":", "1111"),
  SPACE("/v1/leases/batch", "{\"commands\":[", "    "),
  MANY_MEMBERS("/v1/leases/batch", "{", "") {
    @Override
    String filling(int place) {
      return "\"" + place + "\":1,";
    }
  },
  MORE_ITEMS_THAN_ALLOWED("/v1/leases/batch", "{\"commands\":[", "") {
    @Override
    String filling(int place) {
      return "{\"verb\":\"abandon\",\"key\":\"sent/%d\",".formatted(place)
          + "\"requestId\":\"r\",\"instance\":\"%032d\"},".formatted(0);
    }
  },
  ANOTHER_SCOPE_LATE("/v1/leases/renew", "{\"leases\":[", "") {
    @Override
    String filling(int place) {
      return "{\"key\":\"%s/%d\",\"token\":1},".formatted(place == LATE ? "theirs" : "sent", place);
    }
  },
  PAYLOADS("/v1/objects/batch", "{\"commands\":[", "") {
    @Override
    String filling(int place) {
      return place == LATE_PAYLOAD
          ? "{},"
          : "{\"verb\":\"put\",\"type\":\"sent\",\"id\":\"%d\",\"payloadBase64\":\"%s\"},"
              .formatted(place, "a".repeat(1_000_000));
    }
  };

  private static final int LATE = 9_000;
  private static final int LATE_PAYLOAD = 30;
  private static final int PIECE = 1 << 16;

  private final String path;
  private final String beginning;
  private final String filling;

  LargeBody(String path, String beginning, String filling) {
    this.path = path;
    this.beginning = beginning;
    this.filling = filling.repeat(filling.isEmpty() ? 0 : PIECE / filling.length());
  }

  String filling(int place) {
    return filling;
  }

  /** Sends it, and returns the head of the answer: status line and headers. */
  String sendTo(URI server, String apiKey) throws IOException, InterruptedException {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      Thread sending = Thread.startVirtualThread(() -> send(socket, apiKey));
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      StringBuilder head = new StringBuilder();
      for (String line = reader.readLine();
          line != null && !line.isEmpty();
          line = reader.readLine()) {
        head.append(line).append('\n');
      }
      sending.join();
      return head.toString();
    }
  }

  /** Whether the server has taken all of it: it need not, once it has answered. */
  private boolean send(Socket socket, String apiKey) {
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Authorization: Bearer "
            + apiKey
            + "\r\nContent-Length: "
            + Operation.BATCH_BODY
            + "\r\n\r\n";
    try {
      OutputStream out = new BufferedOutputStream(socket.getOutputStream(), PIECE);
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      int left = Operation.BATCH_BODY;
      byte[] piece = beginning.getBytes(StandardCharsets.US_ASCII);
      for (int place = 0; left > 0; place++) {
        out.write(piece, 0, Math.min(left, piece.length));
        left -= piece.length;
        piece = filling(place).getBytes(StandardCharsets.US_ASCII);
      }
      out.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
