package dev.leasehold.cli.demo;

import dev.leasehold.fence.Claim;
import java.time.Duration;

/**
 * What a holder has when it begins to write.
 *
 * @param trust how long its lease was still trusted when it last checked it
 */
public record Permit(Claim claim, Duration trust) {}
