package dev.leasehold.remote;

import dev.leasehold.remote.Request.Answered;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** The result of one request to one server. */
sealed interface Attempt {
  record Heard(Answered answer) implements Attempt {}

  /** Nothing was sent that a server could act on. */
  record Unsent(String why) implements Attempt {}

  /** The request may have arrived. */
  record Unheard(String why) implements Attempt {}

  static Attempt failed(URI address, @Nullable Throwable cause) {
    return switch (cause) {
      case ConnectException e -> new Unsent("it cannot be reached" + said(e));
      case HttpConnectTimeoutException e -> new Unsent("it cannot be reached" + said(e));
      case SSLHandshakeException e -> new Unsent("it cannot be reached" + unbelieved(e));
      case IOException e -> new Unheard("no answer came" + otherLanguage(address, e));
      case null, default -> throw new IllegalStateException("an attempt failed", cause);
    };
  }

  private static String unbelieved(SSLHandshakeException e) {
    boolean untrusted =
        Stream.<Throwable>iterate(e, t -> t != null, Throwable::getCause)
            .anyMatch(
                t ->
                    t instanceof CertPathBuilderException
                        || t instanceof CertPathValidatorException);
    return untrusted
        ? ": its certificate is not trusted; name a file with one that is: --trust FILE" + said(e)
        : said(e);
  }

  /** A TLS answer to HTTP, or the reverse, shows in the first bytes. */
  private static String otherLanguage(URI address, IOException e) {
    String message = String.valueOf(e.getMessage());
    boolean garbled =
        e instanceof ProtocolException || message.startsWith("parsing HTTP/1.1 status line");
    if (address.getScheme().equals("http") && garbled) {
      return ": what answers does not speak HTTP; is it https://" + address.getAuthority() + "?";
    }
    if (e instanceof SSLException && message.contains("nrecognized SSL message")) {
      return ": what answers does not speak TLS; is it http://" + address.getAuthority() + "?";
    }
    return said(e);
  }

  private static String said(IOException e) {
    return e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
  }
}
