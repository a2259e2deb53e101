package dev.leasehold.cli.command;

import dev.leasehold.kernel.model.RequestId;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The request id that a command is sent under. */
public final class RequestOption {
  @Option(
      names = "--request-id",
      paramLabel = "ID",
      description =
          "Names this request: a repeat within 5 minutes gets the outcome of the first one.")
  public Optional<RequestId> requestId = Optional.empty();

  public RequestId orRandom() {
    return requestId.orElseGet(RequestId::random);
  }
}
