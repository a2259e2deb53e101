package dev.leasehold.cli.config;

/**
 * What somebody has set.
 *
 * @param from where it was found: a flag, a variable, a line of the file
 */
public record Given(String text, String from) {}
