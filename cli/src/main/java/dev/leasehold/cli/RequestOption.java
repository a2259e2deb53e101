package dev.leasehold.cli;

import dev.leasehold.kernel.RequestId;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Under which name a command is sent. */
final class RequestOption {
  @Option(
      names = "--request-id",
      paramLabel = "ID",
      description =
          "Names this request: whoever repeats it within 5 minutes is told what the first one did.")
  Optional<RequestId> requestId = Optional.empty();

  RequestId orRandom() {
    return requestId.orElseGet(RequestId::random);
  }
}
