/**
 * Settings of the command line and the server. {@link dev.leasehold.cli.config.Setting} lists all
 * of them and is the only place that defines their path, flag, default, unit and meaning. The file
 * {@code leasehold.yaml}, environment variables and flags are read by this list, and a test
 * compares {@code docs/configuration.md} with it.
 *
 * <p>A {@code SettingPath} is a setting with the name of its kind or key, if it has one; a {@code
 * GivenValue} is the value that the user has set for it, and its source. {@link
 * dev.leasehold.cli.config.Config} decides between them: flag, environment, file, default; for
 * leases, the most specific first.
 */
@NullMarked
package dev.leasehold.cli.config;

import org.jspecify.annotations.NullMarked;
