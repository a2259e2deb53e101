package dev.leasehold.cli.demo;

import dev.leasehold.fence.Claim;
import java.time.Duration;

/**
 * What a holder has in hand when it goes to write.
 *
 * @param trust how long its lease was good for when it last looked, and found it good
 */
record Permit(Claim claim, Duration trust) {}
