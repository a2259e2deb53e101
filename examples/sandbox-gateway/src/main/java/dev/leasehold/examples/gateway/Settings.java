package dev.leasehold.examples.gateway;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The settings of a gateway, from arguments like {@code port=8081}.
 *
 * @param name the replica's name, for people
 * @param port the port to serve on; 0 for any free one
 * @param driver the driver's address
 * @param store the URL of the database
 * @param ttl how long it takes until another replica reconciles after the leader has crashed
 * @param sweep how often all sandboxes are judged
 * @param grace how long the driver may not know a sandbox before its record is deleted
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
