package dev.leasehold.examples.gateway;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How a gateway is run, from arguments like {@code port=8081}.
 *
 * @param name which replica this is, for people
 * @param port where it serves; 0 for any that is free
 * @param driver where the driver is
 * @param store the URL of the database
 * @param ttl how long nobody reconciles when the leader has crashed
 * @param sweep how often everything is looked at
 * @param grace how long a sandbox may be unknown to the driver before it is given up
 */
record Settings(
    String name, int port, URI driver, String store, Duration ttl, Duration sweep, Duration grace) {

  static Settings of(String[] arguments) {
    Map<String, String> given = new HashMap<>();
    for (String argument : arguments) {
      int at = argument.indexOf('=');
      if (at < 0) {
        throw new IllegalArgumentException("an argument is like port=8081, not '" + argument + "'");
      }
      given.put(argument.substring(0, at), argument.substring(at + 1));
    }
    return new Settings(
        given.getOrDefault("name", "gateway"),
        Integer.parseInt(given.getOrDefault("port", "8081")),
        URI.create(given.getOrDefault("driver", "http://localhost:8080")),
        given.getOrDefault("store", "sqlite:sandboxes.db"),
        Duration.parse(given.getOrDefault("ttl", "PT30S")),
        Duration.parse(given.getOrDefault("sweep", "PT60S")),
        Duration.parse(given.getOrDefault("grace", "PT5M")));
  }
}
