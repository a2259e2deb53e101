package dev.leasehold.cli.config;

/**
 * A value that the user has set.
 *
 * @param from its source: a flag, a variable, a line of the file
 */
public record GivenValue(String text, String from) {}
