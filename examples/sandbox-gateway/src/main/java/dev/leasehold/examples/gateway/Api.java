package dev.leasehold.examples.gateway;

import com.sun.net.httpserver.HttpExchange;
import dev.leasehold.blocks.objects.Update;
import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.examples.gateway.Sandbox.Phase;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.blocks.StoreUnavailableException;
import dev.leasehold.kernel.model.Version;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The users' API, on every replica. It needs no lease: a user that has not seen the latest version
 * is refused, or tries again.
 *
 * <pre>
 *   GET    /sandboxes/               all of them (the first thousand)
 *   PUT    /sandboxes/ID             the image; there must be none of that id
 *   GET    /sandboxes/ID             with its version as ETag
 *   DELETE /sandboxes/ID
 *   PUT    /sandboxes/ID/note        If-Match: the version that was read
 *   PUT    /sandboxes/ID/labels/X
 * </pre>
 */
final class Api {
  private final VersionedObjects objects;
  private final String self;

  /** The answer to a request. */
  private record Reply(int status, String text, Optional<Version> version) {
    static Reply of(int status) {
      return new Reply(status, "", Optional.empty());
    }

    static Reply at(int status, Version version) {
      return new Reply(status, "", Optional.of(version));
    }
  }

  /** Thrown by an edit of a sandbox that does not exist. */
  private static final class NoSuchSandboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  Api(VersionedObjects objects, String self) {
    this.objects = objects;
    this.self = self;
  }

  void handle(HttpExchange exchange) throws IOException {
    Reply reply;
    try {
      reply = reply(exchange);
    } catch (NoSuchSandboxException e) {
      reply = Reply.of(404);
    } catch (IllFormedException e) {
      reply = new Reply(400, String.valueOf(e.getMessage()), Optional.empty());
    } catch (StoreUnavailableException e) {
      reply = new Reply(503, e.certainty() + ": " + e.getMessage(), Optional.empty());
    }
    reply.version().ifPresent(v -> exchange.getResponseHeaders().set("ETag", v.toString()));
    Http.answer(exchange, reply.status(), reply.text());
  }

  private Reply reply(HttpExchange exchange) throws IOException {
    // "", "sandboxes", the id, and what of it
    String[] path = exchange.getRequestURI().getPath().split("/", 5);
    String id = path.length > 2 ? path[2] : "";
    String part = path.length > 3 ? path[3] : "";
    return switch (exchange.getRequestMethod() + " " + part) {
      case "GET " -> id.isEmpty() ? all() : one(id);
      case "PUT " -> create(id, Http.body(exchange));
      case "DELETE " -> edit(id, sandbox -> deleting(sandbox));
      case "PUT note" -> note(id, ifMatch(exchange), Http.body(exchange));
      case "PUT labels" -> edit(id, sandbox -> sandbox.labelled(Http.lastPart(exchange)));
      default -> Reply.of(405);
    };
  }

  private Reply all() {
    String text =
        objects.list(ObjectQuery.all(Sandbox.TYPE)).items().stream()
            .map(one -> one.name().id() + " " + Sandbox.of(one.payload()).phase() + "\n")
            .collect(Collectors.joining());
    return new Reply(200, text, Optional.empty());
  }

  private Reply one(String id) {
    VersionedObject found = found(objects.get(Sandbox.name(id)));
    return new Reply(200, found.payload().text(), Optional.of(found.version()));
  }

  private Reply create(String id, String image) {
    return switch (objects.create(Sandbox.name(id), Sandbox.wanted(image, self).payload())) {
      case ObjectOutcome.Written written -> Reply.at(201, written.version());
      case ObjectOutcome.Conflict conflict -> Reply.of(409);
      case ObjectOutcome.Refused refused -> Reply.of(403);
      case ObjectOutcome.Bound bound -> Reply.of(403);
    };
  }

  /** The reconciler does the rest. */
  private Sandbox deleting(Sandbox sandbox) {
    return sandbox.phase() == Phase.DELETING ? sandbox : sandbox.in(Phase.DELETING, self);
  }

  /** Reads, edits and writes, and retries when another writer was faster. */
  private Reply edit(String id, UnaryOperator<Sandbox> edit) {
    Update update =
        objects.update(
            Sandbox.name(id),
            current -> edit.apply(Sandbox.of(found(current).payload())).payload());
    return switch (update) {
      case Update.Made made -> Reply.at(200, made.version());
      case Update.Exhausted exhausted -> Reply.of(409);
      case Update.NotAllowed notAllowed -> Reply.of(403);
    };
  }

  /** Writes only over the version that the user has read. */
  private Reply note(String id, Version version, String note) {
    VersionedObject current = found(objects.get(Sandbox.name(id)));
    if (!current.version().equals(version)) {
      return Reply.of(412);
    }
    Sandbox noted = Sandbox.of(current.payload()).noted(note);
    return switch (objects.replace(current.name(), version, noted.payload())) {
      case ObjectOutcome.Written written -> Reply.at(200, written.version());
      case ObjectOutcome.Conflict conflict -> Reply.of(412);
      case ObjectOutcome.Refused refused -> Reply.of(403);
      case ObjectOutcome.Bound bound -> Reply.of(403);
    };
  }

  private static VersionedObject found(Optional<VersionedObject> found) {
    return found.orElseThrow(NoSuchSandboxException::new);
  }

  private static Version ifMatch(HttpExchange exchange) {
    String version = exchange.getRequestHeaders().getFirst("If-Match");
    if (version == null) {
      throw new IllFormedException("If-Match is missing: which version is this about?");
    }
    return Version.parse(version);
  }
}
