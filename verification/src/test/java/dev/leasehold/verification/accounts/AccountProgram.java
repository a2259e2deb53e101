package dev.leasehold.verification.accounts;

import dev.leasehold.cli.demo.HolderProgram;
import dev.leasehold.cli.demo.PausedHolder;

/** A holder that can write to every kind of account. */
public final class AccountProgram {
  public static final PausedHolder.Program PROGRAM =
      new PausedHolder.Program(AccountProgram.class, AccountKind::open);

  private AccountProgram() {}

  public static void main(String[] arguments) throws Exception {
    HolderProgram.run(AccountKind::open, arguments);
  }
}
