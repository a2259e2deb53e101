package dev.leasehold.server.http;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.server.security.Permission;
import java.util.Optional;

/** The headers by which a command of any block is made under a lease, and can be repeated. */
final class ClaimHeaders {
  private static final String KEY = "Leasehold-Key";
  private static final String TOKEN = "Leasehold-Token";
  private static final String INSTANCE_ID = "Leasehold-Instance-Id";
  private static final String REQUEST_ID = "Leasehold-Request-Id";

  private ClaimHeaders() {}

  /** The lease under which a command is made. The caller's API key must cover it too. */
  static Optional<Claim> claim(Call call) {
    Optional<String> key = call.header(KEY);
    Optional<String> token = call.header(TOKEN);
    if (key.isPresent() != token.isPresent()) {
      throw ProblemException.badInput(KEY + " and " + TOKEN + ": give both of them, or none");
    }
    Optional<String> instanceId = call.header(INSTANCE_ID);
    if (key.isEmpty() || token.isEmpty()) {
      if (instanceId.isPresent()) {
        throw ProblemException.badInput(
            INSTANCE_ID + ": it belongs to a token: give " + KEY + " and " + TOKEN + " too");
      }
      return Optional.empty();
    }
    LeaseKey leaseKey = new LeaseKey(key.get());
    call.require(Permission.HOLD, leaseKey);
    return Optional.of(
        new Claim(leaseKey, Token.parse(token.get()), call.principal().name(), instanceId));
  }

  /** Lets a client repeat a command whose answer was lost. */
  static RequestId requestId(Call call) {
    return call.header(REQUEST_ID).map(RequestId::new).orElseGet(RequestId::random);
  }
}
