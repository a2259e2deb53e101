/**
 * Settings of the command line and the server. {@link dev.leasehold.cli.config.Setting} is the list
 * of all there are: path, flag, default, unit and meaning are said there, and nowhere else; the
 * file {@code leasehold.yaml}, environment variables and flags are read by it, {@code
 * docs/configuration.md} is compared with it.
 *
 * <p>A setting and, where it belongs to a kind or a key, that name are a {@code Spot}; what
 * somebody has given for it, and where, is a {@code Given}. {@link dev.leasehold.cli.config.Config}
 * decides between them: flag, environment, file, default; for leases, the most specific first.
 */
@NullMarked
package dev.leasehold.cli.config;

import org.jspecify.annotations.NullMarked;
