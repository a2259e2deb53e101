package dev.leasehold.verification.linearizability;

import dev.leasehold.fence.Admission;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Canary: the fence used as advice. Another change can come between the answer and the change. */
public final class AdmitThenChange extends FenceOperations {
  @Override
  @Operation
  public String change(@Param(name = "key") int key, @Param(name = "token") int token) {
    return switch (fence.admit(claim(key, token))) {
      case Admission.Admitted admitted -> "found " + overwrite(key, token);
      case Admission.Refused refused -> told(refused);
    };
  }
}
